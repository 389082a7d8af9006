// A move of 32 bytes that needs its place on the stack to be aligned. It is assembled without the flag that
// would change it.
void moves() {
    char place[64];
    __asm__ volatile("vmovaps %%ymm0, %0" : "=m"(place));
}
