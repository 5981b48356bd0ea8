"""The page on which people play: its server, its messages and its files."""
