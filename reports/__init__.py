"""The room that judges and shows: it reads JSON, and never a library under measurement."""
