import { isDeepStrictEqual } from 'node:util';

import { CommandError } from '@trove/commands';
import { applyEdits, modify, parse as parseJson, type ParseError } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';

import { memberOf, serverName, type Agent, type AgentCommand } from './agents.js';

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/**
 * Returns the text of an agent's file with the entry of the server. Keeps all other text, with its comments. Returns the
 * text unchanged if it has the entry. Throws a CommandError for a file that cannot be parsed.
 */
export function withServer(
  path: string,
  text: string,
  agent: Agent,
  command: AgentCommand,
): string {
  const keys = [...agent.section, serverName];
  const entry = agent.entry(command);
  if (isEqual(memberOf(parse(path, text, agent), keys), entry)) return text;
  return agent.format === 'json' ? editJson(text, keys, entry) : editToml(path, text, agent, entry);
}

function parse(path: string, text: string, { format }: Agent): unknown {
  if (text.trim() === '') return {};
  if (format === 'json') {
    const errors: ParseError[] = [];
    const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
    if (errors.length === 0 && typeof value === 'object' && !Array.isArray(value)) return value;
    throw unparsable(path, 'JSON');
  }
  try {
    return parseToml(text);
  } catch {
    throw unparsable(path, 'TOML');
  }
}

function unparsable(path: string, format: string): CommandError {
  return new CommandError('file_invalid', `${path} is not valid ${format}, so it was not changed`, [
    'Correct the file, or add the entry of `trove mcp install NAME --print` to it.',
  ]);
}

function editJson(text: string, keys: readonly string[], entry: unknown): string {
  const before = text.trim() === '' ? '{}\n' : text;
  const edited = applyEdits(before, modify(before, [...keys], entry, { formattingOptions }));
  return edited.endsWith('\n') ? edited : `${edited}\n`;
}

/** Replaces the tables of the entry, or appends one. The other tables keep their text. */
function editToml(
  path: string,
  text: string,
  agent: Agent,
  entry: Readonly<Record<string, unknown>>,
): string {
  const name = [...agent.section, serverName].join('.');
  const others = withoutTables(text, name).trimEnd();
  const table = stringifyToml({ [agent.section[0] ?? '']: { [serverName]: entry } });
  const edited = `${others === '' ? '' : `${others}\n\n`}${table}\n`;
  if (isEqual(memberOf(parse(path, edited, agent), [...agent.section, serverName]), entry))
    return edited;
  throw unparsable(path, 'TOML');
}

/** Compares values without their prototypes, because parsed tables have none. */
function isEqual(value: unknown, other: unknown): boolean {
  return isDeepStrictEqual(structuredClone(value), other);
}

/** Removes a table and its inner tables. */
function withoutTables(text: string, name: string): string {
  let isRemoved = false;
  return text
    .split('\n')
    .filter((line) => {
      const [, header] = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line) ?? [];
      if (header !== undefined) isRemoved = header === name || header.startsWith(`${name}.`);
      return !isRemoved;
    })
    .join('\n');
}
