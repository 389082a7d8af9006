// What is folded.
