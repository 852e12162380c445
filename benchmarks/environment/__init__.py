"""Sets the checkout up; a script, run by path before anything is installed."""
