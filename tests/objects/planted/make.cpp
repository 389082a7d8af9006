// What faults.cpp leaves open, for a shared library: one for Windows has nothing undefined.
namespace planted {

int make();
int make() { return 1; }

}  // namespace planted
namespace throng::structures {

int needed_structure(int value);
int needed_structure(int value) { return value; }

}  // namespace throng::structures
