"""What a whole library call pays around its kernel."""

from .suite import suites

globals().update(suites("call", __name__))
