/** A word of a text. */
interface WordForm {
  readonly raw: string;
  readonly folded: string;
}

/** A spelling of a word. */
export interface TextSpelling {
  readonly word: string;
  /** Whether texts contain the word or a form of it. Stems alone would turn `super` into `superate`. */
  readonly occurs: boolean;
}

/** Maximum number of final letters that no text contains, such as a plural ending. */
const maxUnseenChars = 1;

/**
 * Chooses among spellings with the same term the one that texts contain. Prefers swapped letters, then frequency. If
 * no text contains a spelling, returns the closest word of the texts. `forms` are the words of texts with this term.
 */
export function chooseSpelling(
  typed: string,
  spellings: readonly [string, ...string[]],
  forms: readonly WordForm[],
): TextSpelling {
  const [nearest] = countForms(forms)
    .flatMap((form) => spellings.map((spelling) => compareSpelling(typed, spelling, form)))
    .sort(
      (a, b) =>
        a.missing - b.missing ||
        a.extra - b.extra ||
        Number(b.isExchange) - Number(a.isExchange) ||
        b.count - a.count,
    );
  if (nearest === undefined) return { word: spellings[0], occurs: false };
  const { spelling, missing, extra, raw } = nearest;
  const occurs = missing <= maxUnseenChars;
  return { word: occurs && missing + extra > 0 ? spelling : raw, occurs };
}

interface WordFormCount extends WordForm {
  readonly count: number;
}

function countForms(forms: readonly WordForm[]): WordFormCount[] {
  const counts = new Map<string, WordFormCount>();
  for (const { raw: word, folded } of forms) {
    const raw = word.toLowerCase();
    counts.set(raw, { raw, folded, count: (counts.get(raw)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/**
 * Compares a spelling with a word. `missing` counts the final letters that only the spelling has, and `extra` those
 * that only the word has.
 */
function compareSpelling(typed: string, spelling: string, { raw, folded, count }: WordFormCount) {
  const shorter = Math.min(spelling.length, folded.length);
  let same = 0;
  while (same < shorter && spelling[same] === folded[same]) same++;
  return {
    spelling,
    raw,
    count,
    missing: spelling.length - same,
    extra: folded.length - same,
    isExchange: lettersOf(typed) === lettersOf(spelling),
  };
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}
