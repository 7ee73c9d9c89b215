import type { ResultEnvelope } from '@trove/client';

import { localPathOf } from '../paths/large-target.js';
import { linesOf } from '../paths/locator.js';
import { parsePosition } from '../paths/position.js';
import { decode, type UploadedFolder } from '../paths/uploaded-folders.js';

/** A place that answers a question. All members that are not null must match. */
export interface Wanted {
  /** As written in the file, for output. */
  readonly label: string;
  /** A path or URI of an object or of a folder. */
  readonly source: string | null;
  readonly lines: readonly [number, number] | null;
  /** A heading or a defined name. Its lines are known only to the server. */
  readonly heading: string | null;
  /** Members of the locator of a record. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** A text that the hit contains. */
  readonly text: string | null;
}

const nothing = { source: null, lines: null, heading: null, locator: null, text: null };

/**
 * Parses `notes/a.md`, `notes`, `a.md:12-20`, `a.md#Heading`, `rows.jsonl:{"id":7}`, `"a text"` in quotes, or an object
 * with `source` or `text` or both. Returns the problem if it cannot.
 */
export function parseWanted(
  value: unknown,
  folder: string,
  uploadedFolders: readonly UploadedFolder[],
): Wanted | string {
  if (typeof value === 'string') {
    if (value.trim() === '') return 'must not be blank';
    const quoted = /^"(.*)"$/s.exec(value.trim())?.[1];
    if (quoted === undefined) return parsePlace(value, folder, uploadedFolders);
    return quoted.trim() === '' ? 'must not be blank' : { ...nothing, label: value, text: quoted };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be a text or an object';
  const unknown = Object.keys(value).find((key) => key !== 'source' && key !== 'text');
  if (unknown !== undefined)
    return `has the unknown member \`${unknown}\`. Use \`source\` and \`text\``;
  const source: unknown = 'source' in value ? value.source : undefined;
  const text: unknown = 'text' in value ? value.text : undefined;
  if (source === undefined && text === undefined) return 'must have `source` or `text`';
  if (source !== undefined && !isText(source)) return '`source` must be a text that is not blank';
  if (text !== undefined && !isText(text)) return '`text` must be a text that is not blank';
  const place = source === undefined ? nothing : parsePlace(source, folder, uploadedFolders);
  const label = [source, text === undefined ? undefined : `"${text}"`]
    .filter((part) => part !== undefined)
    .join(' ');
  return { ...place, label, text: text ?? null };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function parsePlace(
  text: string,
  folder: string,
  uploadedFolders: readonly UploadedFolder[],
): Wanted {
  const [, object = text, heading = null] = /^([^#]+)#(.+)$/s.exec(text) ?? [];
  const { target, line, lastLine, locator } = parsePosition(object, folder, uploadedFolders);
  return {
    label: text,
    source: target,
    lines: line === null ? null : [line, lastLine ?? line],
    heading: heading === null ? null : heading.trim(),
    locator: locator === null ? null : toObject(JSON.parse(locator)),
    text: null,
  };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Whether a hit is one of the places. The lines of a heading must be known. */
export function isWanted(hit: ResultEnvelope, { source, lines, locator, text }: Wanted): boolean {
  return (
    (source === null || isBelow(hit, source)) &&
    (lines === null || overlaps(hit, lines)) &&
    (locator === null || hasMembers(hit, locator)) &&
    (text === null || normalize(hit.content).includes(normalize(text)))
  );
}

/** Whether two paths or URIs name the same object. */
export function isSameTarget(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function isBelow({ source, metadata: { also, url } }: ResultEnvelope, wanted: string): boolean {
  const root = comparable(wanted);
  return [source, ...also, ...(url === null ? [] : [url])].some((each) => {
    const path = comparable(each);
    return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
  });
}

/** Local paths and their URIs are equal, and escapes do not matter. */
function comparable(target: string): string {
  const local = localPathOf(target);
  const path = local ?? decode(target);
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

function overlaps({ locator }: ResultEnvelope, [first, last]: readonly [number, number]): boolean {
  const lines = linesOf(locator);
  return lines !== undefined && lines[0] <= last && lines[1] >= first;
}

function hasMembers(
  { locator }: ResultEnvelope,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return (
    locator !== null &&
    Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(locator[name]) === JSON.stringify(value),
    )
  );
}

/** White space and case do not matter. */
function normalize(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
