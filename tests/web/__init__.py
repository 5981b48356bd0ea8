"""The tests of the page."""
