// SPDX-License-Identifier: MIT
//! Tantivy for benchmarks/lexical.cpp, which says what is asked and answered: BM25 (k1 1.2, b .75), one segment, one
//! thread; `full` scores all matches, as a hit counter makes it do.
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use tantivy::collector::{Count, TopDocs};
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, STRING};
use tantivy::{Index, Searcher, TantivyDocument, Term};

type Error = Box<dyn std::error::Error>;

struct Peer {
    folder: PathBuf,
    index: Option<(Searcher, Field, Field)>,
    sets: HashMap<String, Vec<Box<dyn Query>>>,
}

fn seconds(clock: libc::clockid_t) -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(clock, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

fn term(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::WithFreqs))
}

fn boolean(field: Field, line: &str, occur: Occur) -> Box<dyn Query> {
    Box::new(BooleanQuery::new(line.split_whitespace().map(|word| (occur, term(field, word))).collect()))
}

fn query(kind: &str, text: Field, admitted: Field, line: &str) -> Box<dyn Query> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match kind {
        "phrase" => Box::new(PhraseQuery::new(words.iter().map(|word| Term::from_field_text(text, word)).collect())),
        "filter" => {
            let flag = TermQuery::new(Term::from_field_text(admitted, "1"), IndexRecordOption::Basic);
            Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(ConstScoreQuery::new(Box::new(flag), 0.0))),
                (Occur::Must, boolean(text, line, Occur::Should)),
            ]))
        }
        _ if words.len() == 1 => term(text, words[0]),
        "and" => boolean(text, line, Occur::Must),
        _ => boolean(text, line, Occur::Should),
    }
}

impl Peer {
    fn build(&mut self) -> Result<String, Error> {
        let folder = self.folder.join("tantivy");
        let record = if self.folder.join("phrases").exists() {
            IndexRecordOption::WithFreqsAndPositions
        } else {
            IndexRecordOption::WithFreqs
        };
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default().set_tokenizer("whitespace").set_index_option(record);
        let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let admitted = schema.add_text_field("admitted", STRING);
        let filter = fs::read_to_string(self.folder.join("filter"))?;
        let flagged: HashSet<usize> = filter.lines().filter_map(|line| line.parse().ok()).collect();

        let start = seconds(libc::CLOCK_PROCESS_CPUTIME_ID);
        fs::create_dir_all(&folder)?;
        let mut writer: SingleSegmentIndexWriter = Index::builder()
            .schema(schema.build())
            .single_segment_index_writer(tantivy::directory::MmapDirectory::open(&folder)?, 4 << 30)?;
        for (id, line) in BufReader::new(File::open(self.folder.join("documents"))?).lines().enumerate() {
            let mut document = TantivyDocument::default();
            document.add_text(text, line?);
            if flagged.contains(&id) {
                document.add_text(admitted, "1");
            }
            writer.add_document(document)?;
        }
        let index = writer.finalize()?;
        let took = seconds(libc::CLOCK_PROCESS_CPUTIME_ID) - start;
        let mut bytes = 0;
        for entry in fs::read_dir(&folder)? {
            bytes += entry?.metadata()?.len();
        }
        self.index = Some((index.reader()?.searcher(), text, admitted));
        Ok(format!("{took} {bytes} {}", tantivy::version_string()))
    }

    fn run(&mut self, kind: &str, file: &str, k: usize) -> Result<String, Error> {
        let (searcher, text, admitted) = self.index.as_ref().ok_or("not built")?;
        let (kind, full) = match kind.strip_suffix("-full") {
            Some(kind) => (kind, true),
            None => (kind, false),
        };
        let set = format!("{kind} {file}");
        if !self.sets.contains_key(&set) {
            let lines = fs::read_to_string(self.folder.join(file))?;
            let queries = lines.lines().map(|line| query(kind, *text, *admitted, line)).collect();
            self.sets.insert(set.clone(), queries);
        }
        let top = || TopDocs::with_limit(k).order_by_score();
        let mut answer = String::new();
        for query in &self.sets[&set] {
            let start = seconds(libc::CLOCK_THREAD_CPUTIME_ID);
            if full {
                std::hint::black_box(searcher.search(query.as_ref(), &(top(), Count))?);
            } else {
                std::hint::black_box(searcher.search(query.as_ref(), &top())?);
            }
            answer += &format!("{:.2} ", (seconds(libc::CLOCK_THREAD_CPUTIME_ID) - start) * 1e6);
        }
        Ok(answer)
    }
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let mut peer = Peer { folder: Path::new(&folder).to_path_buf(), index: None, sets: HashMap::new() };
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            ["build"] => peer.build(),
            [kind, file, k] => k.parse().map_err(Error::from).and_then(|k| peer.run(kind, file, k)),
            _ => Err("asked in another way".into()),
        };
        println!("{}", answer.unwrap_or_else(|problem| format!("- {}", problem.to_string().replace('\n', " "))));
    }
}
