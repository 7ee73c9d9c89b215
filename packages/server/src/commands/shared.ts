import { join } from 'node:path';
import { TroveError } from '@trove/core';
import type { ArgsDef } from 'citty';
import { loadConfig, type CommandOption, type ServerConfig } from '../config/load.js';
import type { Prompts } from '../wizard/prompts.js';

export const configArg = {
  config: {
    type: 'string',
    valueHint: 'FILE',
    description: 'Path of server.toml; else the first that is found (see the reference)',
  },
} as const satisfies ArgsDef;

export const bindArg = {
  bind: {
    type: 'string',
    valueHint: 'ADDRESS:PORT',
    description: 'Where to listen (default 127.0.0.1:13619); port 0 takes any free port',
  },
} as const satisfies ArgsDef;

/** Rejects what the command line parser lets through: unknown options and stray words. */
export function refuseUnknown(
  args: { readonly _: readonly string[] } & Readonly<Record<string, unknown>>,
  known: ArgsDef,
): void {
  const unknown = Object.keys(args).filter((name) => name !== '_' && !Object.hasOwn(known, name));
  const stray = [
    ...unknown.map((name) => (name.length === 1 ? `-${name}` : `--${name}`)),
    ...args._,
  ];
  if (stray.length > 0) throw usageError(`unknown argument: ${stray.join(' ')}`);
}

/** Logged first, so that nobody has to guess which file is in use. */
export function sayFile({ file }: ServerConfig): void {
  process.stdout.write(`Configuration: ${file ?? 'built-in defaults, there is no server.toml'}\n`);
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

export function usageError(detail: string): TroveError {
  return new TroveError('config_invalid', detail, {
    suggestions: ['See `trove-server --help`, or `trove-server COMMAND --help`.'],
  });
}

/** The configuration for a command that takes `--config` and options for settings. */
export function configOf(
  config: string | undefined,
  options: readonly CommandOption[] = [],
): Promise<ServerConfig> {
  if (config === '') throw usageError('--config needs a file');
  return loadConfig({ configFile: config, options });
}

/** Questions on the terminal, if there is one. What asks them is loaded for nobody else. */
export async function promptsOf(title: string): Promise<Prompts | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const { terminalPrompts } = await import('../wizard/terminal-prompts.js');
  return terminalPrompts(title);
}
