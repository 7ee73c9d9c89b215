const maxLines = 200;
const maxValueChars = 200;
const delimiter = /^---\s*$/u;
const end = /^(?:---|\.\.\.)\s*$/u;
const field = /^([\p{L}_][\p{L}\p{N}_ -]{0,60}):(?:\s+(.*)|\s*)$/u;
const item = /^\s*-\s+(.+)$/u;

/** A field of the front matter with one or several values. */
export interface FrontMatterField {
  readonly name: string;
  readonly values: readonly string[];
}

export interface FrontMatter {
  readonly fields: readonly FrontMatterField[];
  /** The text after the front matter. */
  readonly body: string;
}

/** Reads the scalar and list fields between `---` lines at the start of a text. */
export function readFrontMatter(text: string): FrontMatter {
  const none = { fields: [], body: text };
  if (!text.startsWith('---')) return none;
  const fields: { readonly name: string; readonly values: string[] }[] = [];
  let at = 0;
  for (let line = 0; line < maxLines && at < text.length; line++) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const content = text.slice(at, Math.min(next, at + 1000)).trimEnd();
    at = next;
    if (line === 0) {
      if (!delimiter.test(content)) return none;
      continue;
    }
    if (end.test(content)) return { fields, body: text.slice(at) };
    const [, name, value] = field.exec(content) ?? [];
    const listed = item.exec(content)?.[1];
    if (name !== undefined) fields.push({ name, values: valuesOf(value ?? '') });
    else if (listed !== undefined) fields.at(-1)?.values.push(...valuesOf(listed));
  }
  return none;
}

function valuesOf(value: string): string[] {
  const list = /^\[(.*)\]$/u.exec(value.trim())?.[1];
  const parts = list === undefined ? [value] : list.split(',');
  return parts
    .map((part) => unquote(part.trim()).slice(0, maxValueChars))
    .filter((part) => part !== '' && !/^[|>{[&*]/u.test(part));
}

function unquote(text: string): string {
  return /^(?:"[^"]*"|'[^']*')$/u.test(text) ? text.slice(1, -1).trim() : text;
}
