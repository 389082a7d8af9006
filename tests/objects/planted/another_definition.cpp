// See one_definition.cpp.
namespace planted {

inline int twice_defined(int i) { return i < 0 ? -i * i : i + 1; }
int (*use_of_the_other)(int) = twice_defined;

}  // namespace planted
