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
    description: 'Path of server.toml; else the first that is found (see the reference)',
  },
} as const satisfies ArgumentDefs;

export const bindArg = {
  bind: {
    type: 'string',
    valueHint: 'ADDRESS:PORT',
    description: 'Where to listen (default 127.0.0.1:13619); port 0 takes any free port',
  },
} as const satisfies ArgumentDefs;

/** Prints the file in use, before anything can fail. */
export async function printConfigFile(
  { file }: ServerConfig,
  out: ServerContext['out'],
): Promise<void> {
  await out.write(`Configuration: ${file ?? 'built-in defaults, there is no server.toml'}\n`);
}

/** Where plugin packages are resolved from: the configured folders, then the server's own installation. */
export function packageRoots({ packageFolders }: ServerConfig): string[] {
  return packageRootsOf(packageFolders);
}

/** The same for folders. */
export function packageRootsOf(folders: readonly string[]): string[] {
  return [...folders.map((folder) => join(folder, 'package.json')), import.meta.url];
}

/** `--bind` as a setting. */
export function bindOption(bind: string | undefined): CommandOption[] {
  return bind === undefined ? [] : [{ option: '--bind', path: ['server', 'bind'], value: bind }];
}

/** The configuration for a command that takes `--config` and options for settings. */
export function configOf(
  config: string | undefined,
  options: readonly CommandOption[] = [],
): Promise<ServerConfig> {
  if (config === '') throw new UsageError('--config needs a file');
  return loadConfig({ configFile: config, options });
}

/** Questions on the terminal, if there is one. What asks them is loaded for nobody else. */
export async function promptsOf(title: string): Promise<Prompts | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const { terminalPrompts } = await import('../wizard/terminal-prompts.js');
  return terminalPrompts(title);
}
