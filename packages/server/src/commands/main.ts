import { stripVTControlCharacters } from 'node:util';
import { isTroveError } from '@trove/core';
import { defineCommand, renderUsage, runCommand } from 'citty';
import { version } from '../version.js';
import { compact } from './compact.js';
import { connectorAdd } from './connector-add.js';
import { connectorList } from './connector-list.js';
import { connector } from './connector.js';
import { plugins } from './plugins.js';
import { reload } from './reload.js';
import { api, run } from './run.js';
import { setup } from './setup.js';
import { worker } from './worker.js';
import { WizardCancelled } from '../wizard/prompts.js';

const main = defineCommand({
  meta: { name: 'trove-server', version, description: 'Search, grep, list and read any source' },
  subCommands: { run, api, worker, reload, setup, plugins, connector, compact },
});

const usages = new Map([
  ['run', () => renderUsage(run)],
  ['api', () => renderUsage(api)],
  ['worker', () => renderUsage(worker)],
  ['reload', () => renderUsage(reload)],
  ['plugins', () => renderUsage(plugins)],
  ['compact', () => renderUsage(compact)],
  ['setup', () => renderUsage(setup)],
  ['connector', () => renderUsage(connector)],
  ['connector add', () => renderUsage(connectorAdd)],
  ['connector list', () => renderUsage(connectorList)],
]);

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where usage and errors go. */
export interface Output {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/**
 * Runs the command line. Returns the exit code if it failed: 2 for wrong usage or configuration, 1 for anything else.
 */
export async function runCommandLine(
  argv: readonly string[],
  { stdout, stderr }: Output = process,
): Promise<number> {
  if (argv.some((arg) => arg === '--help' || arg === '-h') || argv[0] === 'help') {
    const usage =
      usages.get(argv.slice(0, 2).join(' ')) ??
      usages.get(argv[0] ?? '') ??
      (() => renderUsage(main));
    print(stdout, `${await usage()}\n`);
    return 0;
  }
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    print(stdout, `${version}\n`);
    return 0;
  }
  try {
    await runCommand(main, { rawArgs: [...argv] });
    return 0;
  } catch (error) {
    if (error instanceof WizardCancelled) return 1;
    print(stderr, complaint(error));
    return isUsageError(error) ? 2 : 1;
  }
}

/** The usage is coloured, which makes sense only on a terminal. */
function print(stream: Stream, text: string): void {
  stream.write(stream.isTTY === true ? text : stripVTControlCharacters(text));
}

function isUsageError(error: unknown): boolean {
  if (isTroveError(error)) return error.code === 'config_invalid';
  return error instanceof Error && error.name === 'CLIError';
}

function complaint(error: unknown): string {
  if (isTroveError(error)) {
    return [`error: ${error.detail}`, ...error.suggestions.map((text) => `  ${text}`), ''].join(
      '\n',
    );
  }
  if (isUsageError(error) && error instanceof Error) {
    return `error: ${error.message}\n  See \`trove-server --help\`.\n`;
  }
  return `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
