/** Formats ascending UIDs as an IMAP sequence set: `1:500,502`. */
export function formatUids(uids: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < uids.length;) {
    const from = uids[at] ?? 0;
    let to = from;
    while (uids[at + 1] === to + 1) {
      to++;
      at++;
    }
    ranges.push(from === to ? String(from) : `${from}:${to}`);
    at++;
  }
  return ranges.join(',');
}

export function parseUids(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [from = NaN, to = from] = range === '' ? [] : range.split(':').map(Number);
    return Number.isNaN(from) ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

export function isUid(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < 2 ** 32;
}
