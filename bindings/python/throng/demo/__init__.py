"""A crowd of a million agents, by NumPy and Throng: `python -m throng.demo`.

Each agent takes the mean heading of all agents in sight, turns a little away from where they crowd, and walks
slower the more there are. Two bodies that touch are pushed apart. Walls and pillars take away the part of a
heading that goes through them, so the crowd flows along their faces.
"""

from .crowd import Crowd, Step

__all__ = ["Crowd", "Step"]
