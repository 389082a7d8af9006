// An inline function that another file defines with another body: the fault that the check of definitions looks for.
namespace planted {

inline int twice_defined(int i) { return i; }
int (*use_of_the_one)(int) = twice_defined;

}  // namespace planted
