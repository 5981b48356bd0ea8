"""What can be wrong with a run; every sentence names the file, and the key where there is one."""

from __future__ import annotations


class RunError(ValueError):
    """A run cannot do what was asked of it."""


class NotARun(RunError):
    """A folder is no run, or not there."""


class RunExists(RunError):
    """A run cannot be created where one is."""


class RunIsHeld(RunError):
    """Another process is writing the run."""


class RunIsFinished(RunError):
    """Nothing can be added to a run that has ended."""


class ConfigDiffers(RunError):
    """A run cannot go on under other settings than it began with."""


class UnfitValue(RunError):
    """A value cannot be kept so that it comes back the same."""


class DamagedCheckpoint(RunError):
    """A checkpoint is torn, foreign or holds what is no number."""


class DamagedRun(RunError):
    """A file of a run is not what the run wrote."""
