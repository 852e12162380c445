"""What it costs to obtain and to use an event."""

from .suite import suites

globals().update(suites("event", __name__))
