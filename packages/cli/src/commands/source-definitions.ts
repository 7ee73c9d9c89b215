import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { Exit, group, UsageError } from '@trove/commands';
import { parse, stringify } from 'smol-toml';

import { displayText, displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { errorCode, messageOf } from '../session/system-errors.js';
import { renderTable } from '../terminal/table.js';
import { optionsOf } from './parameters.js';

interface SourceDefinition {
  readonly target: string;
  readonly config: Record<string, unknown> | null;
}

const header = `# The sources of a Trove server. "***" stands for a secret that only the server has.\n`;
const localRoot = 'file://local';

const exportSources = command({
  name: 'export',
  description: 'Print the definitions of all sources as TOML, for version control',
  args: {
    output: {
      type: 'string',
      alias: 'o',
      valueHint: 'FILE',
      completes: 'file',
      description: 'Write to this file instead of standard output',
    },
  },
  notes: [
    'Prints references to secrets (`env:NAME`), and `***` for secrets in plain text. Leaves out uploaded sources.',
  ],
  examples: [{ command: 'trove sources export > sources.toml', does: 'store all definitions' }],
  async run(args, cli) {
    const answer = await cli.client.connectors.exportSources();
    if (cli.json) return cli.printJson(answer);
    const sources = answer.sources.map(({ target, config }) => ({
      target: target.startsWith(`${localRoot}/`) ? target.slice(localRoot.length) : target,
      ...(config === null || Object.keys(config).length === 0
        ? {}
        : { config: withoutNulls(config) }),
    }));
    const text = `${header}\n${stringify({ sources })}`;
    const file = args.text('output');
    if (file === undefined) return cli.out.write(text);
    writeFileSync(resolve(cli.cwd, file), text);
    await cli.err.line(`Wrote ${sources.length} sources to ${cli.err.safeName(file)}`);
  },
});

const applyOptions = optionsOf('applySources', {});

const apply = command({
  name: 'apply',
  description: 'Add and update sources until they equal the definitions in a file',
  args: {
    file: {
      type: 'positional',
      completes: 'file',
      description: 'TOML file of `trove sources export`. Its relative paths start at its folder',
    },
    ...applyOptions.args,
  },
  notes: [
    'Changes nothing if the sources already equal their definitions. Jobs sync added and updated sources.',
    'Exits with 1 if a change failed.',
  ],
  examples: [
    { command: 'trove sources apply sources.toml --dry-run', does: 'show the difference' },
    {
      command: 'trove sources apply sources.toml --prune',
      does: 'also remove sources that the file does not contain',
    },
  ],
  async run(args, cli) {
    const sources = readDefinitions(args.required('file'), cli.cwd);
    const body = { ...applyOptions.request(args), sources };
    const answer = await cli.client.connectors.applySources({ body });
    const failed = answer.changes.filter(({ error }) => error !== null);
    if (cli.json) await cli.printJson(answer);
    else await printChanges(cli, answer);
    if (failed.length > 0) throw new Exit(1);
  },
});

export const sourceDefinitions = group('sources', 'Export and apply the definitions of sources', [
  exportSources,
  apply,
]);

interface Applied {
  readonly dry_run: boolean;
  readonly changes: readonly {
    readonly target: string;
    readonly action: string;
    readonly keys: readonly string[];
    readonly error: string | null;
    readonly detail: string | null;
  }[];
}

async function printChanges(cli: Cli, { dry_run: isDryRun, changes }: Applied): Promise<void> {
  const { out, err } = cli;
  const rows = changes
    .filter(({ action, error }) => action !== 'none' || error !== null)
    .map(({ action, target, keys, error }) => [
      action,
      out.safeName(displayUri(target, cli)),
      keys.map((key) => out.safeName(key)).join(', '),
      error ?? '',
    ]);
  const columns = [{ title: 'ACTION' }, { title: 'SOURCE' }, { title: 'KEYS' }, { title: 'ERROR' }];
  if (rows.length > 0) for (const line of renderTable(columns, rows)) await out.line(line);
  for (const { target, error, detail } of changes) {
    if (error === null) continue;
    const name = err.safeName(displayUri(target, cli));
    await err.line(`error: ${name}: ${err.safe(displayText(detail ?? error, cli))}`);
  }
  const equal = changes.filter(({ action }) => action === 'none').length;
  const outcome = isDryRun
    ? 'Nothing was changed'
    : rows.length === 0
      ? 'Nothing to change'
      : 'Applied';
  await err.line(`${outcome}: ${rows.length} to change, ${equal} as defined`);
}

/** Reads the definitions of a file. Throws a UsageError. */
function readDefinitions(file: string, cwd: string): SourceDefinition[] {
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path} (${errorCode(error)})`, [
      'Name a TOML file that you can read.',
    ]);
  }
  let content: Record<string, unknown>;
  try {
    content = parse(text);
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, ['Correct the TOML of the file.']);
  }
  const { sources = [], ...others } = content;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(path, `unknown key ${unknown}`);
  if (!Array.isArray(sources)) throw invalid(path, '`sources` is not a list of tables');
  return sources.map((source: unknown, at) => toDefinition(source, path, at + 1));
}

function toDefinition(source: unknown, path: string, number: number): SourceDefinition {
  if (!isTable(source)) throw invalid(path, `source ${number} is not a table`);
  const { target, config = null, ...others } = source;
  if (typeof target !== 'string') throw invalid(path, `source ${number} has no \`target\``);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(path, `source ${number}: unknown key ${unknown}`);
  if (config !== null && !isTable(config))
    throw invalid(path, `source ${number}: \`config\` is not a table`);
  return { target: toTarget(target, dirname(path)), config };
}

function invalid(path: string, reason: string): UsageError {
  return new UsageError(`${path}: ${reason}`, ['`trove sources export` prints a valid file.']);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** TOML has no null. An absent value has the same meaning. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}
