// Queries know nothing of what is made of their answers.
#include "beside/folds/values.hpp"
