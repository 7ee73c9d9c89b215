import { isTroveError, type Infer, type LineRange, type TroveError } from '@trove/core';
import type { CatQuery } from 'trove';
import { answer } from '../answer.js';
import { AnswerBudget, cutToBytes, decodeCursor, encodeCursor, invalidCursor } from '../budget.js';
import { numberLines, parsePosition } from '../position.js';
import { ToolError } from '../tool-error.js';
import { defineTool, type RawArguments, type ToolContext, type ToolSchema } from '../tool.js';
import { answerParts, nonEmptyText, parameters, texts } from './parameters.js';

const maxObjects = 20;
/** Lines that one request of the engine reads. */
const maxLines = 2000;
/** Lines before and after a line that no definition encloses. */
const linesAround = 10;
/** Bytes of a short line of code with its number. */
const minLineBytes = 20;

const input = {
  type: 'object',
  properties: {
    uri: {
      ...nonEmptyText,
      maxLength: 4000,
      description: 'As in a hit. `URI:40-80` reads these lines.',
    },
    more_uris: {
      type: 'array',
      items: { ...nonEmptyText, maxLength: 4000 },
      maxItems: maxObjects - 1,
      default: [],
      description: 'Further objects, read in the same call.',
    },
    lines: { ...nonEmptyText, maxLength: 40, description: '`40-80`' },
    context: {
      type: 'integer',
      minimum: 0,
      maximum: 500,
      default: 0,
      description: 'Lines around the part.',
    },
    enclosing: {
      type: 'boolean',
      default: false,
      description: 'The whole definition around the first line.',
    },
    outline: { type: 'boolean', default: false, description: 'Headings and signatures only.' },
    cursor: parameters.cursor,
    max_tokens: parameters.max_tokens,
  },
  required: ['uri'],
  additionalProperties: false,
} as const satisfies ToolSchema;

type ReadArguments = Infer<typeof input>;

export const readTool = defineTool({
  name: 'read',
  title: 'Read',
  description:
    'Reads objects as text with line numbers. Documents become Markdown, and tables become records.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      objects: texts,
      ...answerParts,
    },
    required: ['objects'],
  },
  aliases: {
    path: 'uri',
    file: 'uri',
    file_path: 'uri',
    filename: 'uri',
    source: 'uri',
    url: 'uri',
    id: 'uri',
    uris: 'more_uris',
    paths: 'more_uris',
    files: 'more_uris',
    range: 'lines',
    line_range: 'lines',
    view_range: 'lines',
    line: 'lines',
    context_lines: 'context',
    around: 'context',
  },
  rewrite: (args) => withLines(withUris(args)),
  async call(args, context) {
    const uris = [args.uri, ...args.more_uris];
    const call = [uris, args.lines, args.context, args.enclosing, args.outline];
    const [at, from] = positionOf(args.cursor, uris.length, call);
    const budget = new AnswerBudget(args.max_tokens);
    const lines: string[] = [];
    const objects: unknown[] = [];
    const notes: string[] = [];
    for (let index = at; index < uris.length; index += 1) {
      const start = index === at ? from : null;
      const part = await readPart(uris[index] ?? '', args, start, budget.bytesLeft, context);
      const fitted = fit(part, budget, objects.length === 0);
      if (fitted === null)
        return answer(lines, { objects }, { cursor: encodeCursor(call, [index, start]), notes });
      if (part.note !== undefined) notes.push(part.note);
      objects.push({ uri: part.uri, text: fitted.text });
      lines.push(...(uris.length > 1 ? [`==> ${part.uri} <==`] : []), fitted.text, '');
      if (fitted.next !== null)
        return answer(
          lines,
          { objects },
          { cursor: encodeCursor(call, [index, fitted.next]), notes },
        );
    }
    return answer(lines, { objects }, { cursor: null, notes });
  },
});

/** Understands lists in `uri`, `uris`, `paths` and `files`. */
function withUris(args: RawArguments): RawArguments {
  const { uri, uris, paths, files, ...others } = args;
  const list = [uri, uris, paths, files].flat().filter((each) => each !== undefined);
  if (list.length < 2 && !Array.isArray(uri ?? uris ?? paths ?? files)) return args;
  const [first, ...more] = list;
  return { ...others, uri: first, more_uris: more };
}

/** Understands `start_line` with `end_line`, `offset` with `limit`, and ranges that are lists or objects. */
function withLines(args: RawArguments): RawArguments {
  const { start_line, end_line, startLine, endLine, offset, limit, ...others } = args;
  const first = start_line ?? startLine ?? offset;
  const last =
    end_line ??
    endLine ??
    (limit === undefined ? undefined : Number(first ?? 1) + Number(limit) - 1);
  if (first !== undefined || last !== undefined)
    return {
      ...others,
      lines: `${Number(first ?? 1)}-${Number(last ?? Number(first) + maxLines)}`,
    };
  const range = ['lines', 'range', 'line_range', 'view_range'].find((name) => name in args);
  const value = range === undefined ? undefined : args[range];
  return range !== undefined && Array.isArray(value) ? { ...args, [range]: value.join('-') } : args;
}

/** Returns the object and the line at which the answer starts. */
function positionOf(
  cursor: string | undefined,
  objects: number,
  call: unknown,
): readonly [number, number | null] {
  if (cursor === undefined) return [0, null];
  const [object, line] = decodeCursor(cursor, call);
  if (!Number.isInteger(object) || !(line === null || Number.isInteger(line)))
    throw invalidCursor();
  const index = Number(object);
  if (index < 0 || index >= objects) throw invalidCursor();
  return [index, line === null ? null : Math.max(1, Number(line))];
}

interface ReadPart {
  readonly uri: string;
  readonly text: string;
  /** The number of the first line. Null for a text whose lines have no numbers. */
  readonly first: number | null;
  /** The line after the text, or null at the end. */
  readonly next: number | null;
  /** Why the text is empty or not the requested part. */
  readonly note?: string;
}

/** Reads a part of an object. An error becomes its text if other objects are read, too. */
async function readPart(
  position: string,
  args: ReadArguments,
  start: number | null,
  bytes: number,
  context: ToolContext,
): Promise<ReadPart> {
  try {
    const { uri, lines, locator } = parsePosition(position, args.lines);
    if (args.outline)
      return (await readSelection({ path: uri, density: 'peek' }, null, context)).selected;
    if (locator !== null || args.enclosing) {
      const part =
        locator === null ? { range: `${lines?.start ?? 1}:${lines?.start ?? 1}` } : { locator };
      const { enclosing, context: around } = args;
      const query = { path: uri, ...part, enclosing, context: around };
      const { selected, outside } = await readSelection(query, start, context);
      if (outside === null) return selected;
      const found = await readRange(
        uri,
        rangeOf(outside, start, Math.max(0, linesAround - around)),
        bytes,
        context,
      );
      const note = `No definition encloses line ${lines?.start ?? outside.start}. These are the lines around it.`;
      return start === null ? { note, ...found } : found;
    }
    return await readRange(uri, rangeOf(lines, start, args.context), bytes, context);
  } catch (error) {
    if (!isTroveError(error) || args.more_uris.length === 0) throw error;
    return { uri: position, text: `${error.code}: ${error.message}`, first: null, next: null };
  }
}

interface Selection {
  readonly selected: ReadPart;
  /** The lines, if the request asks for a definition around them and none exists. */
  readonly outside: LineRange | null;
}

/** Reads a part whose end the engine determines. `start`: the first line that an earlier answer did not contain. */
async function readSelection(
  query: CatQuery,
  start: number | null,
  context: ToolContext,
): Promise<Selection> {
  const { source, content, lines, isOutside } = await cat(query, context);
  if (lines === null)
    return { selected: { uri: source, text: content, first: null, next: null }, outside: null };
  const skipped = start === null ? 0 : Math.max(0, start - lines.from);
  const text = content.split('\n').slice(skipped).join('\n');
  const selected = { uri: source, text, first: lines.from + skipped, next: null };
  return {
    selected,
    outside: isOutside && content !== '' ? { start: lines.from, end: lines.to } : null,
  };
}

/** Reads lines or records, as many as are likely to fit. */
async function readRange(
  path: string,
  { start: from, end: to }: LineRange,
  bytes: number,
  context: ToolContext,
): Promise<ReadPart> {
  let count = Math.max(1, Math.min(maxLines, Math.ceil(bytes / minLineBytes), to - from + 1));
  for (;;) {
    try {
      const range = `${from}:${from + count - 1}`;
      const { source, content, lines } = await cat({ path, range }, context);
      const isRecords = lines === null;
      // A part of a record is useless, and its rest could not be continued.
      if (!isRecords || count === 1 || Buffer.byteLength(content) <= bytes) {
        const isEnd = isRecords ? content === '' : lines.to < from + count - 1;
        const next = isEnd || from + count > to ? null : from + count;
        const note = content === '' && from > 1 ? emptyNote(source, lines) : undefined;
        return {
          uri: source,
          text: content,
          first: lines?.from ?? null,
          next,
          ...(content === '' ? { note: note ?? `${source} is empty.` } : {}),
        };
      }
    } catch (error) {
      const isTooLong = isTroveError(error) && error.code === 'object_too_large_for_cat';
      if (!isTooLong) throw error;
      if (count === 1) throw longLineError(from, error);
    }
    count = Math.max(1, Math.floor(count / 4));
  }
}

/** Explains an empty answer to a range that does not begin at the first line. */
function emptyNote(uri: string, lines: { readonly total: number | null } | null): string {
  const total = lines?.total ?? null;
  return `${uri} ends before this part${total === null ? '' : `: it has ${total} lines`}.`;
}

function longLineError(line: number, cause: TroveError): ToolError {
  return new ToolError(
    cause.code,
    `Line ${line} is longer than an answer may be`,
    ['Use `grep` to see the part of the line around a text.'],
    cause,
  );
}

/** Reads text. `lines` is null for records and outlines. */
async function cat(query: CatQuery, { engine, signal }: ToolContext) {
  const answered = await engine.cat(query, { signal });
  const lines = 'lines' in answered ? (answered.lines ?? null) : null;
  const isOutside = 'enclosed' in answered && !answered.enclosed;
  return { source: answered.source, content: answered.content, lines, isOutside };
}

function rangeOf(lines: LineRange | null, start: number | null, context: number): LineRange {
  const part = lines ?? { start: 1, end: Infinity };
  return { start: start ?? Math.max(1, part.start - context), end: part.end + context };
}

/** Returns the lines of a part that fit, with numbers, and the line that follows. Null if nothing fits. */
function fit(
  { text, first, next }: ReadPart,
  budget: AnswerBudget,
  mustFit: boolean,
): { readonly text: string; readonly next: number | null } | null {
  if (first === null) {
    if (budget.take(text)) return { text, next };
    return mustFit ? { text: cutToBytes(text, budget.bytesLeft), next } : null;
  }
  const lines = text === '' ? [] : numberLines(text, first).split('\n');
  const shown = lines.findIndex((line) => !budget.take(line));
  if (shown === -1) return { text: lines.join('\n'), next };
  if (shown > 0) return { text: lines.slice(0, shown).join('\n'), next: first + shown };
  if (!mustFit) return null;
  return { text: cutToBytes(lines[0] ?? '', budget.bytesLeft), next: first + 1 };
}
