"""The tests of experiments."""
