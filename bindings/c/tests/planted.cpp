// A library that exports a name of C++, and lacks the calls of the header.
namespace throng {

int planted();
int planted() { return 1; }

}  // namespace throng
