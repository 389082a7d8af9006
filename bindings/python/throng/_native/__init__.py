"""The C library: its declarations, who holds its objects, and its statuses as exceptions."""
