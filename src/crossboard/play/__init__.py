"""What the command line and the page share: games in progress, players found, games judged."""
