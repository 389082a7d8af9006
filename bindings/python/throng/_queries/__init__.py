"""The queries of a frame, by what they ask for."""
