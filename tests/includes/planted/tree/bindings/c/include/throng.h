// Stands for the header of the C library.
