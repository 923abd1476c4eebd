# Names of the standard library that a header uses without including where they are from. Prints FILE:LINE: <header>.
# A file of bodies, NAME_inl.hpp, also has what its header includes, the first of ours that it includes.

BEGIN {
    uses["algorithm"] = "std::(sort|stable_sort|partial_sort|nth_element|find|find_if|all_of|any_of|none_of|copy|copy_n|fill|fill_n|reverse|lower_bound|upper_bound|equal_range|min_element|max_element|minmax_element|minmax|clamp|equal|is_sorted|unique|transform|remove_if|count_if|binary_search|set_intersection|rotate)\\(|\\(std::(min|max)\\)"
    uses["array"] = "std::(array)[^A-Za-z0-9_]"
    uses["atomic"] = "std::(atomic)[^A-Za-z0-9_]"
    uses["bit"] = "std::(bit_cast|popcount|countr_zero|countl_zero|bit_ceil|bit_floor|bit_width|endian|rotl|has_single_bit)[^A-Za-z0-9_]"
    uses["charconv"] = "std::(to_chars|from_chars)[^A-Za-z0-9_]"
    uses["chrono"] = "std::(chrono)[^A-Za-z0-9_]"
    uses["cmath"] = "std::(sqrt|log|log2|log10|log1p|exp|pow|floor|ceil|abs|lround|lgamma|atan|erfc|cos|sin|fma|nearbyint|ldexp|frexp|hypot)\\("
    uses["concepts"] = "std::(same_as|convertible_to|derived_from|integral|floating_point|invocable|constructible_from)[^A-Za-z0-9_]"
    uses["cstddef"] = "std::(size_t|ptrdiff_t|byte)[^A-Za-z0-9_]"
    uses["cstdint"] = "std::(u?int(8|16|32|64)_t)[^A-Za-z0-9_]"
    uses["cstring"] = "std::(memcpy|memset|memcmp|strlen|memchr|memmove)[^A-Za-z0-9_]"
    uses["functional"] = "std::(function|greater|less|invoke)[^A-Za-z0-9_]|std::hash<(std::)?[^s]" # of a string: <string_view>
    uses["initializer_list"] = "std::(initializer_list)[^A-Za-z0-9_]"
    uses["limits"] = "std::(numeric_limits)[^A-Za-z0-9_]"
    uses["map"] = "std::(map|multimap)[^A-Za-z0-9_]"
    uses["memory"] = "std::(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|addressof)[^A-Za-z0-9_]"
    uses["mutex"] = "std::(mutex|scoped_lock|lock_guard|unique_lock)[^A-Za-z0-9_]"
    uses["numeric"] = "std::(iota|accumulate|inner_product|partial_sum)[^A-Za-z0-9_]"
    uses["optional"] = "std::(optional|nullopt)[^A-Za-z0-9_]"
    uses["set"] = "std::(set|multiset)[^A-Za-z0-9_]"
    uses["span"] = "std::(span|as_bytes)[^A-Za-z0-9_]"
    uses["string"] = "std::(string|to_string)[^A-Za-z0-9_]"
    uses["string_view"] = "std::(string_view)[^A-Za-z0-9_]"
    uses["tuple"] = "std::(tuple|tie|apply)[^A-Za-z0-9_]"
    uses["type_traits"] = "std::(is_[a-z_]*_v|remove_cvref_t|conditional_t|decay_t|invoke_result_t|true_type|false_type)[^A-Za-z0-9_]"
    uses["unordered_map"] = "std::(unordered_map)[^A-Za-z0-9_]"
    uses["unordered_set"] = "std::(unordered_set)[^A-Za-z0-9_]"
    uses["utility"] = "std::(move|forward|exchange|pair|swap|make_pair|index_sequence)[^A-Za-z0-9_]"
    uses["variant"] = "std::(variant|visit|monostate|holds_alternative)[^A-Za-z0-9_]"
    uses["vector"] = "std::(vector)[^A-Za-z0-9_]"
}

function report(    header) {
    for (header in first)
        if (!(header in included)) print name ":" first[header] ": <" header ">"
    split("", included)
    split("", first)
}

FNR == 1 { report(); name = FILENAME; bodies = FILENAME ~ /_inl\.hpp$/ }
END { report() }

/^#include </ {
    gsub(/[#<>]|include | /, "")
    included[$0]
    if (bodies && $0 ~ /^trawl\//) {
        bodies = 0
        path = "include/" $0
        while ((getline line < path) > 0) {
            if (line !~ /^#include </) continue
            gsub(/[#<>]|include | /, "", line)
            included[line]
        }
        close(path)
    }
    next
}
{
    sub(/\/\/.*/, "")
    if (index($0, "std::") == 0) next
    for (header in uses)
        if (!(header in first) && ($0 " ") ~ uses[header]) first[header] = FNR
}
