"""The tests of Duchess."""
