"""What it costs to obtain and to use a device."""

from .suite import suites

globals().update(suites("device", __name__))
