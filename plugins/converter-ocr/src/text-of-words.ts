/** A row of Tesseract's TSV that has a word. */
interface Word {
  readonly block: string;
  readonly paragraph: string;
  readonly line: string;
  /** In percent. */
  readonly confidence: number;
  readonly text: string;
}

const WORD_LEVEL = '5';
/** Below these, in percent, it is no word, and no paragraph: what Tesseract sees in a picture without text. */
const SURE_OF_WORD = 20;
const SURE_OF_PARAGRAPH = 50;
const IS_TEXT = /[\p{L}\p{N}]{2}|^[\p{L}\p{N}]$/mu;
/** At the end of a line; where lines are far apart, each is a paragraph to Tesseract. */
const DIVIDED_WORD = /(\p{L})[-\u00ad\u2010]\n{1,2}(\p{Ll}\S*) ?/gu;
/** What would begin a heading, a quote, a block of code or a rule where text was meant. */
const OPENS_A_BLOCK = /^(?=#{1,6}(?:\s|$)|>|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm;

/** The text of a page: its lines, with an empty one between paragraphs; words divided at line ends are made whole. */
export function textOfWords(tsv: string): string {
  const paragraphs = groupsOf(wordsOf(tsv), ({ block, paragraph }) => `${block} ${paragraph}`);
  return paragraphs
    .filter(isSure)
    .map((words) =>
      groupsOf(words, ({ line }) => line).map((line) => line.map(({ text }) => text).join(' ')),
    )
    .map((lines) => lines.join('\n'))
    .filter((text) => IS_TEXT.test(text))
    .join('\n\n')
    .replaceAll(DIVIDED_WORD, '$1$2\n')
    .replaceAll(OPENS_A_BLOCK, '\\')
    .trimEnd();
}

function wordsOf(tsv: string): Word[] {
  return tsv.split('\n').flatMap((row) => {
    const cells = row.split('\t');
    const [level, , block = '', paragraph = '', line = ''] = cells;
    const confidence = Number(cells[10]);
    const text = (cells[11] ?? '').trim();
    if (level !== WORD_LEVEL || text === '' || confidence < SURE_OF_WORD) return [];
    return [{ block, paragraph, line, confidence, text }];
  });
}

function isSure(words: readonly Word[]): boolean {
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return sum / words.length >= SURE_OF_PARAGRAPH;
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
