// Empty: a target whose headers are compiled must have a source file.
