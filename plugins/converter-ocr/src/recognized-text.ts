/** A row of Tesseract's TSV that has a word. */
interface RecognizedWord {
  readonly block: string;
  readonly paragraph: string;
  readonly line: string;
  /** In percent. */
  readonly confidence: number;
  readonly text: string;
}

const wordLevel = '5';
/** Below these, in percent, it is no word, and no paragraph: what Tesseract sees in a picture without text. */
const minWordConfidence = 20;
const minParagraphConfidence = 50;
const textPattern = /[\p{L}\p{N}]{2}|^[\p{L}\p{N}]$/mu;
/** At the end of a line; where lines are far apart, each is a paragraph to Tesseract. */
const hyphenatedWord = /(\p{L})[-\u00ad\u2010]\n{1,2}(\p{Ll}\S*) ?/gu;
/** What would begin a heading, a quote, a block of code or a rule where text was meant. */
const blockStart = /^(?=#{1,6}(?:\s|$)|>|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm;

/** The text of a page: its lines, with an empty one between paragraphs; words divided at line ends are made whole. */
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

/** Neighbours with the same key together, in their order. */
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
