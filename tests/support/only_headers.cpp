// Nothing: a target whose headers are compiled has a source file.
