// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

/** Lucene for benchmarks/lexical.cpp, which says what is asked and answered: BM25 (k1 1.2, b .75), one segment, one thread. */
public class LucenePeer {
  static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  static final BM25Similarity BM25 = new BM25Similarity(1.2f, 0.75f);

  final Path folder;
  final Directory directory;
  IndexSearcher searcher;
  final Map<String, List<Query>> sets = new HashMap<>();

  LucenePeer(Path folder) throws IOException {
    this.folder = folder;
    directory = new MMapDirectory(folder.resolve("lucene"));
  }

  public static void main(String[] arguments) throws IOException {
    LucenePeer peer = new LucenePeer(Path.of(arguments[0]));
    BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = asked.readLine()) != null; ) {
      try {
        String[] words = line.split(" ");
        System.out.println(words[0].equals("build") ? peer.build() : peer.run(words[0], words[1], Integer.parseInt(words[2])));
      } catch (Exception problem) {
        System.out.println("- " + problem.toString().replace('\n', ' '));
      }
      System.out.flush();
    }
  }

  static double processSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  String build() throws IOException {
    FieldType type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(Files.exists(folder.resolve("phrases"))
        ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS : IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    BitSet admitted = new BitSet();
    Files.readAllLines(folder.resolve("filter")).forEach(line -> admitted.set(Integer.parseInt(line)));
    double start = processSeconds();
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
    config.setSimilarity(BM25);
    config.setRAMBufferSizeMB(1024);
    config.setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config);
        BufferedReader lines = Files.newBufferedReader(folder.resolve("documents"))) {
      Field text = new Field("text", "", type);
      Document plain = new Document();
      Document flagged = new Document();
      plain.add(text);
      flagged.add(text);
      flagged.add(new StringField("admitted", "1", Field.Store.NO));
      int id = 0;
      for (String line; (line = lines.readLine()) != null; id++) {
        text.setStringValue(line);
        writer.addDocument(admitted.get(id) ? flagged : plain);
      }
      writer.forceMerge(1);
      writer.commit();
    }
    double seconds = processSeconds() - start;
    long bytes = 0;
    for (String file : directory.listAll()) bytes += directory.fileLength(file);
    searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(BM25);
    searcher.setQueryCache(null);
    return seconds + " " + bytes + " Lucene " + Version.LATEST;
  }

  Query query(String kind, String line) {
    String[] words = line.split(" ");
    if (kind.equals("phrase")) return new PhraseQuery("text", words);
    if (words.length == 1 && !kind.equals("filter")) return new TermQuery(new Term("text", words[0]));
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (String word : words) any.add(new TermQuery(new Term("text", word)), kind.equals("and") ? Occur.MUST : Occur.SHOULD);
    if (!kind.equals("filter")) return any.build();
    return new BooleanQuery.Builder().add(any.build(), Occur.MUST)
        .add(new TermQuery(new Term("admitted", "1")), Occur.FILTER).build();
  }

  String run(String kind, String file, int k) throws IOException {
    String set = kind + " " + file;
    List<Query> queries = sets.get(set);
    if (queries == null) {
      queries = Files.readAllLines(folder.resolve(file)).stream().map(line -> query(kind, line)).collect(Collectors.toList());
      sets.put(set, queries);
    }
    if (sets.putIfAbsent(set + k, queries) == null) { // let the JIT see it
      long start = System.nanoTime();
      for (int pass = 0; pass < 3 || System.nanoTime() - start < 2_000_000_000L; pass++) {
        for (Query query : queries) search(query, k);
        if (System.nanoTime() - start > 6_000_000_000L) break;
      }
    }
    StringBuilder answer = new StringBuilder();
    for (Query query : queries) {
      long start = THREADS.getCurrentThreadCpuTime();
      search(query, k);
      answer.append((THREADS.getCurrentThreadCpuTime() - start) / 1e3).append(' ');
    }
    return answer.toString();
  }

  void search(Query query, int k) throws IOException {
    searcher.search(query, new TopScoreDocCollectorManager(k, null, k));
  }
}
