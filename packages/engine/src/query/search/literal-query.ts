/** A word of a text. */
interface Form {
  readonly raw: string;
  readonly folded: string;
}

/** How a word is spelt. */
export interface Written {
  readonly word: string;
  /** Whether texts have it, or another form of it: stems alone make `superate` of `super`. */
  readonly isSeen: boolean;
}

/** How many letters at its end a word may have that are in no text: the plural of a word is one. */
const UNSEEN_AT_MOST = 1;

/**
 * Of spellings of a word that are indexed alike, the one that texts have: with two letters exchanged, or as most write it. If they
 * have none, what they have instead. `forms`: the words of texts that are indexed like these.
 */
export function asWritten(
  typed: string,
  spellings: readonly [string, ...string[]],
  forms: readonly Form[],
): Written {
  const [nearest] = counted(forms)
    .flatMap((form) => spellings.map((spelling) => compared(typed, spelling, form)))
    .sort(
      (a, b) =>
        a.unseen - b.unseen ||
        a.unsaid - b.unsaid ||
        Number(b.isExchange) - Number(a.isExchange) ||
        b.count - a.count,
    );
  if (nearest === undefined) return { word: spellings[0], isSeen: false };
  const { spelling, unseen, unsaid, raw } = nearest;
  const isSeen = unseen <= UNSEEN_AT_MOST;
  return { word: isSeen && unseen + unsaid > 0 ? spelling : raw, isSeen };
}

interface CountedForm extends Form {
  readonly count: number;
}

function counted(forms: readonly Form[]): CountedForm[] {
  const counts = new Map<string, CountedForm>();
  for (const { raw: written, folded } of forms) {
    const raw = written.toLowerCase();
    counts.set(raw, { raw, folded, count: (counts.get(raw)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** `unseen`: how many letters at the end of the spelling are not in the form; `unsaid`: the other way round. */
function compared(typed: string, spelling: string, { raw, folded, count }: CountedForm) {
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
