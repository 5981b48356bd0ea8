"""The tests of systems."""
