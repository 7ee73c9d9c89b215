import type { WordSpan } from './words.js';

/** Words before a noun that a name rarely follows. */
const determiners: ReadonlySet<string> = new Set(
  `der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen sein seine
  seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren dieser diese dieses diesen diesem jeder jede jedes
  jeden jedem alle allen aller viele vielen einige einigen mehrere mehreren welche welcher welches im am zum zur vom beim
  ins ans aufs jener jene`.split(/\s+/u),
);
const nounEnding =
  /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tät|täten|tion|tionen|ismus|nis|nisse|enz|anz|ment|mente|lich|zeit|jahr|jahre|tag|tage|leute|menschen)$/u;

/** Tests if a capitalised word of German begins no name but is an ordinary noun: `der Hund`, `Freiheit`. */
export function isGermanNoun(
  words: readonly WordSpan[],
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  // `dem Hafen von Oslo` begins with a noun, `die Deutsche Bahn` with a name.
  if (to - from > 1 && words[from + 1]?.isLower !== true) return false;
  const word = words[from]?.raw ?? '';
  return nounEnding.test(word) || determiners.has(words[from - 1]?.raw.toLowerCase() ?? '');
}
