"""The pages for designing, printing and downloading cards."""
