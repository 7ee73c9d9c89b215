import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';

type TomlTable = Readonly<Record<string, unknown>>;

/** A changed setting. The value undefined removes it. */
interface TomlChange {
  readonly section: string | null;
  readonly key: string;
  readonly value: unknown;
}

export interface EditedToml {
  readonly text: string;
  /** False if a change required rewriting the whole file. */
  readonly keepsComments: boolean;
}

/** Edits a TOML text so that it has the given content. Keeps comments and unchanged lines where possible. */
export function editToml(text: string, content: TomlTable): EditedToml {
  const edited = changesOf(parse(text), content).reduce<string[] | null>(
    (lines, change) => lines && applyChange(lines, change),
    text.split('\n'),
  );
  if (edited !== null && isEquivalent(edited.join('\n'), content))
    return { text: edited.join('\n'), keepsComments: true };
  return { text: stringify(content), keepsComments: !text.includes('#') };
}

function changesOf(before: TomlTable, after: TomlTable): TomlChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): TomlChange[] => {
    const [old, now] = [before[name], after[name]];
    if (isDeepStrictEqual(plain(old), plain(now))) return [];
    if (!isTable(old) && !isTable(now)) return [{ section: null, key: name, value: now }];
    const [oldTable, nowTable] = [isTable(old) ? old : {}, isTable(now) ? now : {}];
    const keys = new Set([...Object.keys(oldTable), ...Object.keys(nowTable)]);
    return [...keys]
      .filter((key) => !isDeepStrictEqual(plain(oldTable[key]), plain(nowTable[key])))
      .map((key) => ({ section: name, key, value: nowTable[key] }));
  });
}

/** Returns null if the lines contain the setting in an unsupported form. */
function applyChange(
  lines: readonly string[],
  { section, key, value }: TomlChange,
): string[] | null {
  const { from, to } = rangeOf(lines, section);
  const written = value === undefined ? null : stringify({ [key]: value }).trimEnd();
  if (from < 0) return written === null ? [...lines] : appendSection(lines, section ?? '', written);
  const at = lines.findIndex((line, n) => n >= from && n < to && setsKey(line, key));
  if (at < 0) return written === null ? [...lines] : insertLine(lines, from, to, written);
  const simple =
    /^\s*\S+\s*=\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]#]*\]|[^#\s"'[{]+)(\s*#.*)?$/.exec(
      lines[at] ?? '',
    );
  if (simple === null) return null;
  return lines.toSpliced(at, 1, ...(written === null ? [] : [written + (simple[1] ?? '')]));
}

/**
 * Returns the line range of a section without its header. `from` is -1 if the section is missing. Null means
 * the lines before all headers.
 */
function rangeOf(lines: readonly string[], section: string | null): { from: number; to: number } {
  const isHead = (line: string): boolean => /^\s*\[/.test(line);
  const from =
    section === null
      ? 0
      : lines.findIndex((line) => /^\s*\[\s*([^\]\s]+)\s*\]/.exec(line)?.[1] === section) + 1;
  if (section !== null && from === 0) return { from: -1, to: -1 };
  const next = lines.findIndex((line, n) => n >= from && isHead(line));
  return { from, to: next < 0 ? lines.length : next };
}

function setsKey(line: string, key: string): boolean {
  return /^\s*([A-Za-z0-9_-]+)\s*=/.exec(line)?.[1] === key;
}

/** Inserts lines after the last line of the section that is not blank. */
function insertLine(lines: readonly string[], from: number, to: number, written: string): string[] {
  let at = to;
  while (at > from && (lines[at - 1] ?? '').trim() === '') at--;
  const isBeforeHead = at === 0 && to < lines.length;
  return lines.toSpliced(at, 0, written, ...(isBeforeHead ? [''] : []));
}

function appendSection(lines: readonly string[], section: string, written: string): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return [...lines.slice(0, end), ...(end === 0 ? [] : ['']), `[${section}]`, written, ''];
}

function isEquivalent(text: string, content: TomlTable): boolean {
  try {
    return isDeepStrictEqual(plain(dropEmptyTables(parse(text))), plain(dropEmptyTables(content)));
  } catch {
    return false;
  }
}

/** Empty sections make no difference. */
function dropEmptyTables(table: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(table).filter(([, value]) => !isTable(value) || Object.keys(value).length > 0),
  );
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function isTable(value: unknown): value is TomlTable {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}
