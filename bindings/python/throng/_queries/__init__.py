"""The queries of a frame, by kind."""
