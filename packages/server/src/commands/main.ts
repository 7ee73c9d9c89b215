import { stripVTControlCharacters } from 'node:util';
import { isTroveError } from '@trove/core';
import { defineCommand, renderUsage, runCommand } from 'citty';
import { version } from '../version.js';
import { WizardCancelled } from '../wizard/prompts.js';

/** Each command loads what it needs when it is given. */
const commands = {
  run: async () => (await import('./run.js')).run,
  api: async () => (await import('./run.js')).api,
  worker: async () => (await import('./worker.js')).worker,
  reload: async () => (await import('./reload.js')).reload,
  setup: async () => (await import('./setup.js')).setup,
  plugins: async () => (await import('./plugins.js')).plugins,
  connector: async () => (await import('./connector.js')).connector,
  compact: async () => (await import('./compact.js')).compact,
};

const main = defineCommand({
  meta: { name: 'trove-server', version, description: 'Search, grep, list and read any source' },
  subCommands: commands,
});

const usages = new Map([
  ['run', async () => renderUsage(await commands.run())],
  ['api', async () => renderUsage(await commands.api())],
  ['worker', async () => renderUsage(await commands.worker())],
  ['reload', async () => renderUsage(await commands.reload())],
  ['plugins', async () => renderUsage(await commands.plugins())],
  ['compact', async () => renderUsage(await commands.compact())],
  ['setup', async () => renderUsage(await commands.setup())],
  ['connector', async () => renderUsage(await commands.connector())],
  ['connector add', async () => renderUsage((await import('./connector-add.js')).connectorAdd)],
  ['connector list', async () => renderUsage((await import('./connector-list.js')).connectorList)],
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
