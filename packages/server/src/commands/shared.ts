import { join } from 'node:path';
import { type ArgumentDefs, UsageError } from '@trove/commands';
import { loadConfig, type CommandOption, type ServerConfig } from '../config/load.js';
import type { Prompts } from '../wizard/prompts.js';
import type { ServerContext } from './context.js';

export const configArg = {
  config: {
    type: 'string',
    valueHint: 'FILE',
    completes: 'file',
    description: 'Path of server.toml. Default: the first file found (see the reference)',
  },
} as const satisfies ArgumentDefs;

export const bindArg = {
  bind: {
    type: 'string',
    valueHint: 'ADDRESS:PORT',
    description: 'Address to listen on (default 127.0.0.1:13619). Port 0 selects a free port',
  },
} as const satisfies ArgumentDefs;

/** Prints the configuration file before anything can fail. */
export async function printConfigFile(
  { file }: ServerConfig,
  out: ServerContext['out'],
): Promise<void> {
  await out.write(`Configuration: ${file ?? 'built-in defaults, no server.toml found'}\n`);
}

/** Modules from which plugin packages are resolved: the configured folders, then the server's installation. */
export function packageRoots({ packageFolders }: ServerConfig): string[] {
  return packageRootsOf(packageFolders);
}

/** Like `packageRoots`, for given folders. */
export function packageRootsOf(folders: readonly string[]): string[] {
  return [...folders.map((folder) => join(folder, 'package.json')), import.meta.url];
}

/** Converts `--bind` to a setting. */
export function bindOption(bind: string | undefined): CommandOption[] {
  return bind === undefined ? [] : [{ option: '--bind', path: ['server', 'bind'], value: bind }];
}

/** Loads the configuration for a command. */
export function configOf(
  config: string | undefined,
  options: readonly CommandOption[] = [],
): Promise<ServerConfig> {
  if (config === '') throw new UsageError('--config needs a file', ['Name one: --config FILE']);
  return loadConfig({ configFile: config, options });
}

/** Returns prompts on the terminal, or null without a terminal. Loads the prompt library only if needed. */
export async function promptsOf(title: string): Promise<Prompts | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const { terminalPrompts } = await import('../wizard/terminal-prompts.js');
  return terminalPrompts(title);
}
