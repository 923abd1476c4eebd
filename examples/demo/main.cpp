// SPDX-License-Identifier: MIT

/// The tour that ./dev demo runs. Usage: trawl_demo [PACKAGES.tsv]; without a file it tours the
/// manual in examples/corpus. Run from the project's root.

#include <cstdio>
#include <exception>

#include "act_two.hpp"
#include "tour.hpp"

int main(int argc, char** argv) {
    demo::script const packages{
        .questions = {"rename many photos by the date they were taken", "libjpeg-turbo-progs",
            "recover deleted files from a damaged disk", "make the screen less blue at night",
            "which program uses the most network bandwidth", "spredsheet", // misspelt
            "Rechtschreibprüfung für deutsche Texte", "play chess against the computer"},
        .filtered_question = "play music from the command line",
        .group = "sound"};
    demo::script const manual{
        .questions = {"how do I send goods back", "HAL-4817", "my token is refused",
            "too many requests", "restore everything after a disk died", "Datensicherung"},
        .filtered_question = "backup",
        .group = "de"};
    try {
        if (argc > 1) {
            demo::show_tour(demo::read_packages(argv[1]), packages);
        } else {
            demo::show_tour(demo::read_manual("examples/corpus/docs"), manual);
        }
        demo::show_figures("../shared/data/scifact");
        demo::show_learning();
        demo::show_versions("../shared/data/etcd");
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
