"""A crowd of a million agents, by NumPy and Throng: `python -m throng.demo`.

Each agent takes the mean heading of all in its sight, turns a little away from where they crowd, and walks
slower the more there are. Two whose bodies touch are pushed apart. Walls and pillars take away the part of a
heading that would go through them, so that the crowd flows along their faces.
"""

from .crowd import Crowd, Step

__all__ = ["Crowd", "Step"]
