import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

import { CommandError } from '@trove/commands';

const packageName = '@trove/server';
const commandName = 'trove-server';

/** A command that runs the server: a program and its first arguments. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Finds the server next to this command or on the PATH. Never uses the working directory. */
export function locateServer(env: NodeJS.ProcessEnv, own: string = import.meta.url): ServerCommand {
  const script = findScript(own);
  if (script !== undefined) return { program: process.execPath, args: [script] };
  const program = findOnPath(env['PATH'] ?? '');
  if (program !== undefined) return { program, args: [] };
  throw new CommandError('not_available', `${packageName} is not installed`, [
    `Install it: npm install --global ${packageName}`,
  ]);
}

function findScript(origin: string): string | undefined {
  try {
    const path = createRequire(origin).resolve(`${packageName}/package.json`);
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const bin = member(member(manifest, 'bin'), commandName);
    return typeof bin === 'string' ? join(dirname(path), bin) : undefined;
  } catch {
    return undefined;
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function findOnPath(path: string): string | undefined {
  const names =
    process.platform === 'win32' ? [`${commandName}.cmd`, `${commandName}.exe`] : [commandName];
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
