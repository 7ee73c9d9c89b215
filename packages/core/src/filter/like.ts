/** A literal character, `_` (`one`) or `%` (`run`). */
type LikePart = { readonly char: string } | 'one' | 'run';

/** Whether a LIKE pattern matches the whole text. Takes at most time proportional to the product of the lengths. */
export function matchesLike(text: string, pattern: string): boolean {
  const parts = readPattern(pattern);
  const chars = Array.from(text);
  let part = 0;
  let char = 0;
  // The last run. When a match fails, it takes one more character.
  let run = -1;
  let runEnd = 0;
  while (char < chars.length) {
    const expected = parts[part];
    if (expected === 'run') {
      run = part++;
      runEnd = char;
    } else if (expected !== undefined && (expected === 'one' || expected.char === chars[char])) {
      part++;
      char++;
    } else if (run !== -1) {
      part = run + 1;
      char = ++runEnd;
    } else {
      return false;
    }
  }
  while (parts[part] === 'run') part++;
  return part === parts.length;
}

function readPattern(pattern: string): LikePart[] {
  const parts: LikePart[] = [];
  let escaped = false;
  for (const char of pattern) {
    if (escaped || !'\\%_'.includes(char)) parts.push({ char });
    else if (char === '_') parts.push('one');
    else if (char === '%' && parts.at(-1) !== 'run') parts.push('run');
    escaped = !escaped && char === '\\';
  }
  if (escaped) parts.push({ char: '\\' });
  return parts;
}
