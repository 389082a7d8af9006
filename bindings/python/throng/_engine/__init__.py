"""The engine, and what is written to it."""
