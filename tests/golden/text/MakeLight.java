// Stems words, one a line, by Lucene's light stemmers (Lucene 9.12 on the class path).
//     python3 tests/golden/text/fold_words.py ../shared/golden/stemming/german/voc.txt | java -cp 'lib/*:.' MakeLight de > tests/golden/text/light_german.tsv
//     python3 tests/golden/text/fold_words.py ../shared/golden/stemming/french/voc.txt | java -cp 'lib/*:.' MakeLight fr > tests/golden/text/light_french.tsv
import java.io.*;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

public class MakeLight {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (String word; (word = in.readLine()) != null;) {
            KeywordTokenizer whole = new KeywordTokenizer();
            whole.setReader(new StringReader(word));
            TokenStream stems = args[0].equals("de") ? new GermanLightStemFilter(whole) : new FrenchMinimalStemFilter(whole);
            CharTermAttribute stem = stems.addAttribute(CharTermAttribute.class);
            stems.reset();
            stems.incrementToken();
            out.println(word + "\t" + stem);
        }
    }
}
