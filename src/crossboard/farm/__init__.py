"""Work on many processors: one search on several processes."""
