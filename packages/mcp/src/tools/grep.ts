import type { Infer } from '@trove/core';
import type { GrepResponse } from 'trove';
import { answer } from '../answer.js';
import { AnswerBudget } from '../budget.js';
import { defineTool, type ToolContext, type ToolSchema } from '../tool.js';
import { formatPosition, linesOf } from '../position.js';
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

type Match = GrepResponse['results'][number];

/** Longer lines are cut around their match. */
const maxLineChars = 400;

const input = {
  type: 'object',
  properties: {
    pattern: {
      ...nonEmptyText,
      maxLength: 10_000,
      description: 'A text, or a regular expression.',
    },
    path: parameters.path,
    regex: { type: 'boolean', default: false, description: "ripgrep's syntax." },
    ignore_case: { type: 'boolean', default: false },
    word: { type: 'boolean', default: false, description: 'Whole words only.' },
    glob: parameters.glob,
    context: { type: 'integer', minimum: 0, maximum: 10, default: 0 },
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    cursor: parameters.cursor,
    max_tokens: parameters.max_tokens,
  },
  required: ['pattern'],
  additionalProperties: false,
} as const satisfies ToolSchema;

type GrepArguments = Infer<typeof input>;

export const grepTool = defineTool({
  name: 'grep',
  title: 'Grep',
  description: 'Finds every line with an exact text or regular expression, read from the sources.',
  isReadOnly: true,
  input,
  output: {
    type: 'object',
    properties: {
      files: texts,
      ...answerParts,
    },
    required: ['files'],
  },
  aliases: {
    ...pathAliases,
    ...limitAliases,
    query: 'pattern',
    q: 'pattern',
    text: 'pattern',
    search: 'pattern',
    regexp: 'regex',
    is_regex: 'regex',
    case_insensitive: 'ignore_case',
    i: 'ignore_case',
    whole_word: 'word',
    ...globAliases,
    context_lines: 'context',
    c: 'context',
  },
  rewrite: (args) => {
    const { regex, ...others } = args;
    const isPattern = typeof regex === 'string' && !/^(?:true|false)$/.test(regex);
    return isPattern && !('pattern' in args) ? { ...others, pattern: regex, regex: true } : args;
  },
  async call(args, context) {
    const page = await grep(args, args.limit, context);
    const shown = fit(page, args.max_tokens);
    if (shown.matches === page.results.length) return render(page, shown.files);
    // The cursor of a shorter page continues exactly after the last line that fits.
    const shorter = await grep(args, Math.max(1, shown.matches), context);
    return render(shorter, fit(shorter, args.max_tokens).files);
  },
});

function grep(
  { pattern, path, regex, ignore_case, word, glob, context, cursor }: GrepArguments,
  limit: number,
  { engine, signal }: ToolContext,
): Promise<GrepResponse> {
  return engine.grep(
    { pattern, regex, ignore_case, word, context, limit, ...given({ path, glob, cursor }) },
    { signal },
  );
}

interface FileMatches {
  readonly uri: string;
  text: string;
}

/** Groups matches by object until the budget ends. At least one match is shown. */
function fit(
  { results }: GrepResponse,
  tokens: number,
): { readonly files: FileMatches[]; readonly matches: number } {
  const budget = new AnswerBudget(tokens);
  const files: FileMatches[] = [];
  let matches = 0;
  for (const match of results) {
    if (match.source !== null) {
      const last = files.at(-1);
      const text = textOf(match);
      const isSame = last?.uri === match.source;
      if (!budget.take(isSame ? text : { uri: match.source, text }) && matches > 0) break;
      if (isSame) last.text += `\n${text}`;
      else files.push({ uri: match.source, text });
    }
    matches += 1;
  }
  return { files, matches };
}

/** Numbers the lines of a match. `:` marks matching lines, and `-` marks context. */
function textOf({ content, locator, match, source }: Match): string {
  if (match === null) return `${formatPosition(source ?? '', locator)}: ${shorten(content, 0)}`;
  const [first = 1, last = first] = match.lines;
  const start = linesOf(locator)?.start ?? first;
  return content
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => {
      const number = start + index;
      const isMatch = number >= first && number <= last;
      return `${number}${isMatch ? ':' : '-'} ${shorten(line, number === first ? match.column : 0)}`;
    })
    .join('\n');
}

function shorten(line: string, column: number): string {
  if (line.length <= maxLineChars) return line;
  const start = Math.max(0, Math.min(column - maxLineChars / 4, line.length - maxLineChars));
  const part = line.slice(start, start + maxLineChars).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${start + maxLineChars < line.length ? '…' : ''}`;
}

function render(page: GrepResponse, files: readonly FileMatches[]) {
  const notes = page.results.filter(({ via }) => via === 'notice').map(({ content }) => content);
  // A notice may be the reason, so other advice would mislead.
  const advice = notes.length === 0 ? ' Try `ignore_case`, `regex` or `search`.' : '';
  if (files.length === 0) notes.push(`No line matches.${advice}`);
  const lines = files.flatMap(({ uri, text }) => [uri, text, '']);
  return answer(lines, { files }, { cursor: page.next, notes });
}
