"""What every measurement needs: rank correlation, bootstrap, paired tests, exact sums."""
