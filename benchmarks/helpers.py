"""The helpers that the request blames, where a release still lets Python call them."""

from .suite import suites

globals().update(suites("helpers", __name__))
