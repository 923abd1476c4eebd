// SPDX-License-Identifier: MIT
// rankops on the files that benchmarks/fusion.cpp writes: rankops_peer FOLDER. Reads lines "rankops WORK" and answers
// each with the seconds of one question.
use std::io::{BufRead, Write};
use std::time::Instant;

type Hits = Vec<(u32, f32)>;

fn arm(path: String) -> Vec<Hits> {
    let mut questions: Vec<Hits> = Vec::new();
    let mut last = String::new();
    for line in std::fs::read_to_string(path).expect("an arm").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] != last {
            last = words[0].to_string();
            questions.push(Vec::new());
        }
        let hit = (words[1][1..].parse().expect("d and a number"), words[2].parse().expect("a score"));
        questions.last_mut().expect("a question").push(hit);
    }
    questions
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let arms = (arm(format!("{folder}/arm0")), arm(format!("{folder}/arm1")));
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let started = Instant::now();
        let mut kept = 0;
        for (a, b) in arms.0.iter().zip(&arms.1) {
            kept += if line.ends_with("rrf") {
                rankops::rrf(a, b).len()
            } else {
                rankops::weighted(a, b, rankops::WeightedConfig::default()).len()
            };
        }
        let seconds = started.elapsed().as_secs_f64() / arms.0.len() as f64;
        println!("{}", if kept > 0 { seconds } else { f64::NAN });
        std::io::stdout().flush().expect("stdout");
    }
}
