import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isTroveError, messageOf, TroveError, type Plugin } from '@trove/core';
import { WaitLimit } from './wait-limit.js';
import { checkPlugin } from './check-plugin.js';

/** Time limit of an import. A module may wait forever at its top level. */
const importMs = 60_000;

/**
 * Resolves a package from the first module that finds it. Returns null if it is not installed. Throws
 * `plugin_not_exported`.
 */
export function resolvePackage(name: string, roots: readonly string[]): string | null {
  for (const root of roots) {
    const file = resolveFrom(root, name);
    if (file !== null) return file;
  }
  return null;
}

function resolveFrom(root: string, name: string): string | null {
  const from = createRequire(root);
  const folder = from.resolve
    .paths(name)
    ?.map((place) => join(place, name))
    .find(isPackage);
  if (folder === undefined) return /^[./]/.test(name) ? fileOf(from, name) : null;
  try {
    const exported = exportsOf(folder);
    if (exported === undefined) return from.resolve(name);
    const target = targetOf(exported, importConditions) ?? targetOf(exported, requireConditions);
    if (target === null) {
      throw new TroveError(
        'plugin_not_exported',
        `${name} is installed, but its exports have no usable "." entry`,
      );
    }
    const file = join(folder, target);
    if (!existsSync(file)) throw new Error(`its exports name ${target}, which does not exist`);
    return file;
  } catch (error) {
    throw isTroveError(error) ? error : failedToLoad(name, error);
  }
}

/** The operator may name a file instead of a package. */
function fileOf(from: NodeJS.Require, path: string): string | null {
  try {
    return from.resolve(path);
  } catch {
    return null;
  }
}

function isPackage(folder: string): boolean {
  return existsSync(join(folder, 'package.json'));
}

function exportsOf(folder: string): unknown {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'exports' in manifest
    ? manifest.exports
    : undefined;
}

/** Export conditions. A package only for `require` can still be imported by its file. */
const importConditions = new Set(['import', 'node', 'default']);
const requireConditions = new Set(['require', 'node', 'default']);

/** Returns the target of the `.` entry of `exports`, or null. */
function targetOf(exported: unknown, conditions: ReadonlySet<string>): string | null {
  if (typeof exported === 'string') return exported.startsWith('./') ? exported : null;
  if (typeof exported !== 'object' || exported === null) return null;
  if ('.' in exported) return targetOf(exported['.'], conditions);
  for (const [condition, value] of Object.entries(exported)) {
    const isMeant = Array.isArray(exported) || conditions.has(condition);
    const target = isMeant ? targetOf(value, conditions) : null;
    if (target !== null) return target;
  }
  return null;
}

/** Returns the names of installed packages that start with `prefix`. */
export function installedPackages(prefix: string, roots: readonly string[]): string[] {
  const places = new Set(roots.flatMap((root) => createRequire(root).resolve.paths(prefix) ?? []));
  return [...places].flatMap((place) => {
    try {
      return readdirSync(place).filter((name) => name.startsWith(prefix));
    } catch {
      return [];
    }
  });
}

/**
 * Imports a resolved package and returns its default-exported plugins (one, or an array). Throws
 * `plugin_failed_to_load`, also for missing dependencies of the package and after `limitMs`, or an error of
 * `checkPlugin`.
 */
export async function importPlugins(
  name: string,
  url: string,
  limitMs = importMs,
): Promise<Plugin[]> {
  let exported: unknown;
  const late = (): Error => new Error(`it took longer than ${limitMs / 1000} s`);
  const bound = new WaitLimit(limitMs, [], late);
  try {
    const module: unknown = await bound.wait(import(url));
    exported =
      typeof module === 'object' && module !== null && 'default' in module
        ? module.default
        : undefined;
  } catch (error) {
    throw failedToLoad(name, error);
  } finally {
    bound.end();
  }
  const plugins: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  return plugins.map((plugin) => checkPlugin(plugin, name));
}

function failedToLoad(name: string, cause: unknown): TroveError {
  const reason = messageOf(cause);
  return new TroveError(
    'plugin_failed_to_load',
    `${name} is installed, but importing it failed: ${reason}`,
    {
      cause,
    },
  );
}
