import type { Infer } from '@trove/core';
import type { SearchResponse } from 'trove';
import { ageOf } from '../age.js';
import { answer } from '../answer.js';
import { AnswerBudget, cutToBytes, decodeCursor, encodeCursor, invalidCursor } from '../budget.js';
import { formatPosition, linesOf, numberLines } from '../position.js';
import { defineTool, type ToolContext, type ToolSchema } from '../tool.js';
import { reasonOf } from './reason.js';
import { sectionsOf } from './sections.js';
import {
  answerParts,
  limitAliases,
  nonEmptyText,
  parameters,
  pathAliases,
  given,
  globAliases,
  texts,
} from './parameters.js';

type Hit = SearchResponse['results'][number];

const maxQueries = 5;
/** Characters of a passage: five to ten lines. */
const passageChars = 500;

const input = {
  type: 'object',
  properties: {
    query: {
      ...nonEmptyText,
      maxLength: 10_000,
      description: 'Words, a question, or the name of a definition.',
    },
    more_queries: {
      type: 'array',
      items: nonEmptyText,
      maxItems: maxQueries - 1,
      default: [],
      description: 'Further queries, answered in the same call.',
    },
    path: parameters.path,
    mode: { enum: ['hybrid', 'keyword', 'semantic'], default: 'hybrid' },
    glob: parameters.glob,
    type: { ...nonEmptyText, maxLength: 1000, description: 'File types: `ts,py,md`.' },
    filter: {
      ...nonEmptyText,
      maxLength: 10_000,
      description: 'On metadata: `author = "ann" and modified_at > "2026-01-31"`.',
    },
    since: { ...nonEmptyText, maxLength: 40, description: 'Modified since: a date, or `7d`.' },
    until: { ...nonEmptyText, maxLength: 40 },
    sort: { enum: ['relevance', 'modified'], default: 'relevance' },
    explain: {
      type: 'boolean',
      default: false,
      description: 'Says why each hit has its rank, and which words it lacks.',
    },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 6 },
    cursor: parameters.cursor,
    max_tokens: parameters.max_tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const satisfies ToolSchema;

type SearchArguments = Infer<typeof input>;

export const searchTool = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds passages by words and meaning in all sources: code, documents, issues, chats, tables. Best first. `read` shows more of a hit.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      hits: texts,
      ...answerParts,
    },
    required: ['hits'],
  },
  aliases: {
    ...pathAliases,
    ...limitAliases,
    q: 'query',
    text: 'query',
    question: 'query',
    search: 'query',
    search_query: 'query',
    pattern: 'query',
    keywords: 'query',
    queries: 'more_queries',
    file_type: 'type',
    language: 'type',
    after: 'since',
    before: 'until',
    order: 'sort',
    why: 'explain',
    ...globAliases,
  },
  rewrite: ({ queries, ...args }) => {
    if (!Array.isArray(queries)) return queries === undefined ? args : { ...args, queries };
    const [first, ...others]: unknown[] = 'query' in args ? [args['query'], ...queries] : queries;
    return { ...args, query: first, more_queries: others };
  },
  async call(args, context) {
    const queries = [args.query, ...args.more_queries];
    const call = callOf(args);
    const [at, offset] = positionOf(args.cursor, queries.length, call);
    const budget = new AnswerBudget(args.max_tokens);
    const lines: string[] = [];
    const hits: unknown[] = [];
    const notes: string[] = [];
    for (let index = at; index < queries.length; index += 1) {
      const start = index === at ? offset : 0;
      const found = await search(queries[index] ?? '', args, start, context);
      notes.push(...notesOf(found, queries[index] ?? '', args.path));
      if (queries.length > 1) lines.push(`## ${queries[index]}`);
      const shownHits = found.results.slice(0, args.limit);
      const sections = await sectionsOf(shownHits, context);
      for (const [rank, hit] of shownHits.entries()) {
        const item = describe(hit, sections[rank] ?? null, context.now);
        const isCut = !budget.take(item);
        if (isCut && hits.length > 0) {
          const cursor = encodeCursor(call, [index, start + rank]);
          return answer(lines, { hits }, { cursor, notes });
        }
        const shown = isCut ? { ...item, text: cutToBytes(item.text, budget.bytesLeft) } : item;
        hits.push(queries.length > 1 ? { ...shown, query: queries[index] } : shown);
        lines.push(heading(shown, start + rank + 1), ...whyLines(shown), shown.text, '');
      }
      const hasMore = found.results.length > args.limit;
      if (hasMore && queries.length === 1)
        return answer(
          lines,
          { hits },
          { cursor: encodeCursor(call, [0, start + args.limit]), notes },
        );
    }
    return answer(lines, { hits }, { cursor: null, notes });
  },
});

/** Returns the query and the offset at which the answer starts. Throws `validation_error` for an invalid cursor. */
function positionOf(
  cursor: string | undefined,
  queries: number,
  call: unknown,
): readonly [number, number] {
  if (cursor === undefined) return [0, 0];
  const [query, offset] = decodeCursor(cursor, call);
  if (!Number.isInteger(query) || !Number.isInteger(offset)) throw invalidCursor();
  const [index, start] = [Number(query), Number(offset)];
  if (index < 0 || index >= queries || start < 0) throw invalidCursor();
  return [index, start];
}

/** The arguments that determine the order of the hits. */
function callOf(args: SearchArguments) {
  const { cursor: _, limit: _limit, max_tokens: _tokens, explain: _explain, ...call } = args;
  return call;
}

/** Requests one hit more than shown, to know whether more follow. */
function search(
  query: string,
  { path, mode, glob, type, filter, since, until, sort, explain, limit }: SearchArguments,
  offset: number,
  { engine, signal }: ToolContext,
): Promise<SearchResponse> {
  return engine.search(
    {
      q: query,
      mode,
      sort,
      top_k: limit + 1,
      offset,
      snippet: passageChars,
      explain,
      ...given({ path, glob, type, filter, since, until }),
    },
    { signal },
  );
}

function notesOf(
  { metadata, results, reason }: SearchResponse,
  query: string,
  path?: string,
): string[] {
  const notes = [];
  if (metadata !== undefined) notes.push(`Showing results for "${metadata.showing_results_for}".`);
  if (results.length === 0 && reason !== undefined)
    notes.push(`No hits for "${query}", because the path is not searched: ${reason}`);
  else if (results.length === 0 && path !== undefined)
    notes.push(`No hits for "${query}" in ${path}. \`list\` shows whether it is indexed.`);
  else if (results.length === 0)
    notes.push(`No hits for "${query}". Try other words, or \`grep\` for an exact text.`);
  return notes;
}

/** A hit as data. `text` has numbered lines if the hit has lines. */
function describe(hit: Hit, section: string | null, now: number) {
  const { source, content, locator, metadata } = hit;
  const why = reasonOf(hit);
  const lines = linesOf(locator);
  const { title, modified_at, kind, url } = metadata;
  const age = ageOf(modified_at, now);
  return {
    uri: formatPosition(source, locator),
    ...(title === null ? {} : { title }),
    ...(section === null ? {} : { section }),
    ...(kind === 'text' ? {} : { kind }),
    ...(age === null ? {} : { age }),
    ...(url === null ? {} : { url }),
    ...(why === null ? {} : { why }),
    text: lines === null ? content : numberLines(content, lines.start),
  };
}

function whyLines({ why }: ReturnType<typeof describe>): string[] {
  return why === undefined ? [] : [`Why: ${why}`];
}

function heading(
  { uri, title, section, kind, age }: ReturnType<typeof describe>,
  rank: number,
): string {
  const details = [
    section ?? title,
    kind,
    age === undefined ? undefined : age === 'now' ? 'new' : `${age} old`,
  ];
  return [`${rank}. ${uri}`, ...details.filter((detail) => detail !== undefined)].join(' · ');
}
