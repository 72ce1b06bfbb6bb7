"""The paper: what a card says, how sheets are drawn, how photos of cards are read back."""
