"""The tests of runs."""
