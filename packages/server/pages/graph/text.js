const maxSearchChars = 20_000;

/** Finds a text in another one, ignoring differences of white space: `[start, end]`, or null. */
export function placeOf(searched, text) {
  const exact = searched === '' ? -1 : text.indexOf(searched);
  if (exact >= 0) return [exact, exact + searched.length];
  const words = searched.slice(0, maxSearchChars).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = new RegExp(words.map(RegExp.escape ?? escaped).join('\\s+')).exec(text);
  return found === null ? null : [found.index, found.index + found[0].length];
}

function escaped(word) {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Splits an answer into strings and indices of cited passages. */
export function citedParts(answer, passages) {
  const parts = [];
  let from = 0;
  while (from < answer.length) {
    const next = passages
      .map(({ id }, index) => ({ index, mark: `[${id}]`, start: answer.indexOf(`[${id}]`, from) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start || b.mark.length - a.mark.length)[0];
    parts.push(answer.slice(from, next?.start));
    if (next === undefined) break;
    parts.push(next.index);
    from = next.start + next.mark.length;
  }
  return parts.filter((part) => part !== '');
}

/** Returns the sentences of a passage that an answer quotes. */
export function quotations(answer, { id }) {
  const end = `” [${id}]`;
  return answer
    .split('\n')
    .filter((line) => line.startsWith('“') && line.endsWith(end))
    .map((line) => line.slice(1, -end.length).replace(/…$/, ''));
}

/** Splits a text into pieces and marks those that contain a quotation. */
export function markedPieces(text, quoted) {
  const places = quoted
    .flatMap((sentence) => [placeOf(sentence, text)])
    .filter((place) => place !== null)
    .sort(([a], [b]) => a - b);
  const pieces = [];
  let from = 0;
  for (const [start, end] of places) {
    if (end <= from) continue;
    pieces.push({ text: text.slice(from, start), isMarked: false });
    pieces.push({ text: text.slice(Math.max(from, start), end), isMarked: true });
    from = end;
  }
  pieces.push({ text: text.slice(from), isMarked: false });
  return pieces.filter((piece) => piece.text !== '');
}
