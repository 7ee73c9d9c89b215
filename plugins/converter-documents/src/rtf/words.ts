/** The destination of text: the document, nowhere, or the collected content of a special group. */
export type RtfDestination =
  | 'body'
  | 'nowhere'
  | 'fonts'
  | 'styles'
  | 'instruction'
  | 'result'
  | 'title'
  | 'marker'
  | 'note'
  | 'box'
  | 'edge'
  | 'math';

const withoutText = 'colortbl info pict nonesttables shprslt sp xe tc rxe moMathParaPr mmathPict';
const headersAndFooters = 'header headerl headerr headerf footer footerl footerr footerf';

/** The destinations of groups by their first word. */
const destinations = new Map<string, RtfDestination>([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['fldinst', 'instruction'],
  ['fldrslt', 'result'],
  ['title', 'title'],
  ['listtext', 'marker'],
  ['pntext', 'marker'],
  ['footnote', 'note'],
  ['annotation', 'note'],
  ['shptxt', 'box'],
  ['moMath', 'math'],
  ...withoutText.split(' ').map((word): [string, RtfDestination] => [word, 'nowhere']),
  ...headersAndFooters.split(' ').map((word): [string, RtfDestination] => [word, 'edge']),
]);

/** Groups that readers may ignore if they do not know them, although their text belongs to the document. */
const transparent = new Set(['shpinst', 'ud', 'mmath', 'moMathPara']);

const characters = new Map<string, string>([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['~', ' '],
  ['_', '-'],
]);

/** `optional` groups (marked with `\*`) have no text unless the word is known. */
export function destinationOf(word: string, optional: boolean): RtfDestination | undefined {
  return destinations.get(word) ?? (optional && !transparent.has(word) ? 'nowhere' : undefined);
}

export function characterOf(word: string): string | undefined {
  return characters.get(word);
}
