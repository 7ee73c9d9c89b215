/** A word of a text. */
interface WordForm {
  readonly raw: string;
  readonly folded: string;
}

/** How a word is spelt. */
export interface TextSpelling {
  readonly word: string;
  /** Whether texts have it, or another form of it: stems alone make `superate` of `super`. */
  readonly isSeen: boolean;
}

/** How many letters at its end a word may have that are in no text: the plural of a word is one. */
const maxUnseenChars = 1;

/**
 * Of spellings of a word that are indexed alike, the one that texts have: with two letters exchanged, or as most write it. If they
 * have none, what they have instead. `forms`: the words of texts that are indexed like these.
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
        a.unseen - b.unseen ||
        a.unsaid - b.unsaid ||
        Number(b.isExchange) - Number(a.isExchange) ||
        b.count - a.count,
    );
  if (nearest === undefined) return { word: spellings[0], isSeen: false };
  const { spelling, unseen, unsaid, raw } = nearest;
  const isSeen = unseen <= maxUnseenChars;
  return { word: isSeen && unseen + unsaid > 0 ? spelling : raw, isSeen };
}

interface WordFormCount extends WordForm {
  readonly count: number;
}

function countForms(forms: readonly WordForm[]): WordFormCount[] {
  const counts = new Map<string, WordFormCount>();
  for (const { raw: written, folded } of forms) {
    const raw = written.toLowerCase();
    counts.set(raw, { raw, folded, count: (counts.get(raw)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** `unseen`: how many letters at the end of the spelling are not in the form; `unsaid`: the other way round. */
function compareSpelling(typed: string, spelling: string, { raw, folded, count }: WordFormCount) {
  const shorter = Math.min(spelling.length, folded.length);
  let same = 0;
  while (same < shorter && spelling[same] === folded[same]) same++;
  return {
    spelling,
    raw,
    count,
    unseen: spelling.length - same,
    unsaid: folded.length - same,
    isExchange: lettersOf(typed) === lettersOf(spelling),
  };
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}
