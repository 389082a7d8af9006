"""A crowd of a million agents, by NumPy and Throng: `python -m throng.demo`.

Each agent takes the mean heading of all within a radius, and turns a little away from where they crowd. Two whose
bodies touch are pushed apart until they do not. Walls and pillars take away the part of a heading that would go
through them, so that the crowd flows along their faces.
"""

from .crowd import Crowd, Step

__all__ = ["Crowd", "Step"]
