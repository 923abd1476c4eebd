#include <trawl/trawl.hpp>
