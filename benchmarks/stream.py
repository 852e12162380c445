"""What it costs to obtain and to use a stream."""

from .suite import suites

globals().update(suites("stream", __name__))
