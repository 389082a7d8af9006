// A host of the structures alone. Exits with 0 if they answer.
#include <cstdio>

bool every_structure_answers();
bool structures_without_memory_say_so();

int main() {
    if (!every_structure_answers()) return 1;
    if (!structures_without_memory_say_so()) return 2;
    std::printf("all structures answer\n");
}
