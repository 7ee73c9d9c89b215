import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { TroveError, type Plugin } from '@trove/core';
import { checkPlugin } from './check-plugin.js';

/** Resolves a package as the first of the modules that finds it would. Null: not installed. Throws `plugin_not_exported`. */
export function resolvePackage(name: string, roots: readonly string[]): string | null {
  for (const root of roots) {
    const file = resolveFrom(root, name);
    if (file !== null) return file;
  }
  return null;
}

function resolveFrom(root: string, name: string): string | null {
  try {
    return createRequire(root).resolve(name);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'MODULE_NOT_FOUND') return null;
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
      throw new TroveError(
        'plugin_not_exported',
        `${name} is installed, but its exports have no usable "." entry`,
        {
          cause: error,
        },
      );
    }
    throw failedToLoad(name, error);
  }
}

/**
 * Imports a package and returns the plugins that it default-exports (one, or an array). The file was resolved before,
 * so a module that cannot be found now is one of the package's own dependencies.
 */
export async function importPlugins(name: string, file: string): Promise<Plugin[]> {
  let exported: unknown;
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    exported =
      typeof module === 'object' && module !== null && 'default' in module
        ? module.default
        : undefined;
  } catch (error) {
    throw failedToLoad(name, error);
  }
  const plugins: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  return plugins.map((plugin) => checkPlugin(plugin, name));
}

function failedToLoad(name: string, cause: unknown): TroveError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TroveError(
    'plugin_failed_to_load',
    `${name} is installed, but importing it failed: ${reason}`,
    {
      cause,
    },
  );
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
