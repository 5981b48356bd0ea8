"""Protocols: how our players talk with other people's programs, and theirs with us."""

from __future__ import annotations

from crossboard.protocols.hub_engine import HubEngine
from crossboard.protocols.hub_player import HubPlayer
from crossboard.protocols.hub_process import HubFault

__all__ = ["HubEngine", "HubFault", "HubPlayer"]
