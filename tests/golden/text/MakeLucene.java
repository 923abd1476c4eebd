// Writes tests/golden/text/lucene.tsv from texts, one a line: the text, the terms of StandardAnalyzer and those of
// EnglishAnalyzer as position:term (Lucene 9.12, lucene-core and lucene-analysis-common from Maven on the class path).
//     javac -cp 'lib/*' -d . tests/golden/text/MakeLucene.java
//     java -cp 'lib/*:.' MakeLucene < tests/golden/text/preset_texts.txt > tests/golden/text/lucene.tsv
import java.io.*;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.*;

public class MakeLucene {
    static String terms(Analyzer analyzer, String text) throws IOException {
        StringBuilder out = new StringBuilder();
        int position = -1;
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                position += step.getPositionIncrement();
                out.append(out.length() > 0 ? " " : "").append(position).append(':').append(term);
            }
            tokens.end();
        }
        return out.toString();
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        Analyzer standard = new StandardAnalyzer(), english = new EnglishAnalyzer();
        for (String line; (line = in.readLine()) != null;) {
            out.println(line + "\t" + terms(standard, line) + "\t" + terms(english, line));
        }
    }
}
