"""Upstream releases as a history that asv can walk."""
