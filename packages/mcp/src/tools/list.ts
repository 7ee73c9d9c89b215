import type { LsResponse, StatusResponse } from 'trove';
import { ageOf } from '../age.js';
import { answer } from '../answer.js';
import { AnswerBudget, decodeCursor, encodeCursor, invalidCursor } from '../budget.js';
import { defineTool, type ToolContext, type ToolSchema } from '../tool.js';
import { answerParts, limitAliases, parameters, pathAliases } from './parameters.js';

type Entry = LsResponse['entries'][number];

const input = {
  type: 'object',
  properties: {
    path: { ...parameters.path, description: 'A folder. Without it, all sources.' },
    depth: { type: 'integer', minimum: 1, maximum: 3, default: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
    cursor: parameters.cursor,
    max_tokens: parameters.max_tokens,
  },
  additionalProperties: false,
} as const satisfies ToolSchema;

export const listTool = defineTool({
  name: 'list',
  title: 'List',
  description: 'Lists the sources, or the entries of a folder.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: { uri: { type: 'string' }, type: { type: 'string' } },
          required: ['uri', 'type'],
        },
      },
      ...answerParts,
    },
    required: ['entries'],
  },
  aliases: {
    ...pathAliases,
    ...limitAliases,
    file_path: 'path',
    max_depth: 'depth',
    levels: 'depth',
    max_entries: 'limit',
  },
  async call(args, context) {
    const call = [args.path, args.depth];
    const skipped = args.cursor === undefined ? 0 : offsetOf(args.cursor, call);
    const budget = new AnswerBudget(args.max_tokens);
    const entries: ListedEntry[] = [];
    const lines: string[] = [];
    let position = 0;
    for await (const { entry, level } of walk(args.path, args.depth, context)) {
      position += 1;
      if (position <= skipped) continue;
      const isFull = entries.length >= args.limit || !budget.take([entry, level]);
      if (isFull && entries.length > 0)
        return answer(
          lines,
          { entries },
          { cursor: encodeCursor(call, [position - 1]), notes: [] },
        );
      entries.push(entry);
      lines.push(`${'  '.repeat(level)}${describe(entry)}`);
    }
    const notes = entries.length === 0 ? ['Nothing is here.'] : [];
    return answer(lines, { entries }, { cursor: null, notes });
  },
});

function offsetOf(cursor: string, call: unknown): number {
  const [offset] = decodeCursor(cursor, call);
  if (!Number.isInteger(offset)) throw invalidCursor();
  return Number(offset);
}

interface ListedEntry {
  readonly uri: string;
  readonly type: 'source' | 'folder' | 'file';
  readonly bytes?: number;
  /** What a reader should know, such as the age of a source or why an object is not indexed. */
  readonly detail?: string;
}

interface WalkedEntry {
  readonly entry: ListedEntry;
  readonly level: number;
}

/** Yields the sources, or a folder's entries, each folder before its own entries. */
async function* walk(
  path: string | undefined,
  depth: number,
  context: ToolContext,
): AsyncGenerator<WalkedEntry> {
  if (path !== undefined) return yield* walkFolder(path, depth, 0, context);
  const { connectors } = await context.engine.status({ signal: context.signal });
  for (const source of connectors) {
    yield { entry: describeSource(source, context.now), level: 0 };
    if (depth > 1) yield* walkFolder(source.root_uri, depth - 1, 1, context);
  }
}

async function* walkFolder(
  path: string,
  depth: number,
  level: number,
  context: ToolContext,
): AsyncGenerator<WalkedEntry> {
  const { entries } = await context.engine.ls({ path }, { signal: context.signal });
  for (const entry of entries) {
    const uri = entry.path ?? entry.name;
    yield { entry: describeEntry(entry, uri), level };
    if (entry.type === 'dir' && depth > 1 && entry.path !== null)
      yield* walkFolder(entry.path, depth - 1, level + 1, context);
  }
}

export function describeSource(
  source: StatusResponse['connectors'][number],
  now: number,
): ListedEntry {
  const age = ageOf(source.last_synced_at, now);
  const synced = age === null ? 'never synced' : `synced ${age === 'now' ? 'now' : `${age} ago`}`;
  const problem = source.error === null ? '' : `, ${source.error}: ${source.detail ?? ''}`;
  return {
    uri: source.root_uri,
    type: 'source',
    detail: `${source.object_count} objects, ${source.status}, ${synced}${problem}`,
  };
}

function describeEntry({ type, size_hint, reason }: Entry, uri: string): ListedEntry {
  return {
    uri,
    type: type === 'dir' ? 'folder' : 'file',
    ...(size_hint === null ? {} : { bytes: size_hint }),
    ...(reason === null ? {} : { detail: reason }),
  };
}

function describe({ uri, type, bytes, detail }: ListedEntry): string {
  const name = type === 'folder' && !uri.endsWith('/') ? `${uri}/` : uri;
  const details = [bytes === undefined ? undefined : `${bytes} B`, detail];
  return [name, ...details.filter((each) => each !== undefined)].join(' · ');
}
