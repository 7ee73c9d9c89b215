const maxTitleChars = 300;
const maxReadChars = 5000;
const frontMatter = /^---[ \t]*\n([\s\S]{0,5000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/u;
const titleField = /^title:[ \t]*(.*\S)/mu;
const heading = /^ {0,3}#{1,6}[ \t]+(.*\S)/u;
const closingMarks = /[ \t]+#+$/u;
const linkTarget = /\]\([^()\s]*\)/gu;
const marks = /[[\]*`]/gu;

/** Returns the title in the front matter of a Markdown text, else the heading at its start; else null. */
export function markdownTitle(text: string): string | null {
  const front = frontMatter.exec(text);
  const stated = front === null ? undefined : titleField.exec(front[1] ?? '')?.[1];
  if (stated !== undefined) return stated.replace(/^(["'])(.*)\1$/u, '$2').slice(0, maxTitleChars);
  const start = front?.[0].length ?? 0;
  const [line = ''] = text
    .slice(start, start + maxReadChars)
    .trimStart()
    .split('\n', 1);
  const title = heading.exec(line.slice(0, maxTitleChars))?.[1];
  return title === undefined ? null : plainHeading(title);
}

/** Returns the text of a heading without marks. */
export function plainHeading(text: string): string {
  return text.replace(closingMarks, '').replaceAll(linkTarget, ']').replaceAll(marks, '').trim();
}
