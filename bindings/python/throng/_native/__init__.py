"""The C library: its declarations, the owners of its objects, and its statuses as exceptions."""
