/** A row of Tesseract's TSV with a word. */
interface RecognizedWord {
  readonly block: string;
  readonly paragraph: string;
  readonly line: string;
  /** In percent. */
  readonly confidence: number;
  readonly text: string;
}

const wordLevel = '5';
/** Minimum confidence of a word and a paragraph, in percent. Lower values occur in pictures without text. */
const minWordConfidence = 20;
const minParagraphConfidence = 50;
const textPattern = /[\p{L}\p{N}]{2}|^[\p{L}\p{N}]$/mu;
/** A hyphenated word at a line end. Tesseract splits widely spaced lines into paragraphs. */
const hyphenatedWord = /(\p{L})[-\u00ad\u2010]\n{1,2}(\p{Ll}\S*) ?/gu;
/** Text that Markdown would read as a heading, quote, code block or rule. */
const blockStart = /^(?=#{1,6}(?:\s|$)|>|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm;

/** Returns the text of a page with an empty line between paragraphs. Rejoins hyphenated words. */
export function textOfWords(tsv: string): string {
  const paragraphs = groupsOf(wordsOf(tsv), ({ block, paragraph }) => `${block} ${paragraph}`);
  return paragraphs
    .filter(isSure)
    .map((words) =>
      groupsOf(words, ({ line }) => line).map((line) => line.map(({ text }) => text).join(' ')),
    )
    .map((lines) => lines.join('\n'))
    .filter((text) => textPattern.test(text))
    .join('\n\n')
    .replaceAll(hyphenatedWord, '$1$2\n')
    .replaceAll(blockStart, '\\')
    .trimEnd();
}

function wordsOf(tsv: string): RecognizedWord[] {
  return tsv.split('\n').flatMap((row) => {
    const cells = row.split('\t');
    const [level, , block = '', paragraph = '', line = ''] = cells;
    const confidence = Number(cells[10]);
    const text = (cells[11] ?? '').trim();
    if (level !== wordLevel || text === '' || confidence < minWordConfidence) return [];
    return [{ block, paragraph, line, confidence, text }];
  });
}

function isSure(words: readonly RecognizedWord[]): boolean {
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return sum / words.length >= minParagraphConfidence;
}

/** Groups neighbours with the same key in order. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}
