"""The published systems: recipes to train, and the one loop that trains them."""
