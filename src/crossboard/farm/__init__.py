"""Work on many processors: games spread over them, or one search on several processes."""
