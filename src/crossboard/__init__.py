"""Board-game players that teach themselves."""
