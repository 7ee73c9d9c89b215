import { resolve } from 'node:path';
import type { Logger, Plugin } from '@trove/core';
import {
  checkConfiguredPlugins,
  createEngine,
  type ConfiguredPlugin,
  type Engine,
} from '@trove/engine';
import { engineOptions } from './engine-options.js';
import { defaultHome, prepareHome } from './home.js';
import { withLocalPaths } from './local-paths.js';
import { machineId } from './machine-id.js';
import { resolveSettings, type ResolvedSettings } from './settings/resolve.js';
import type { SettingsInput } from './settings/schema.js';

interface Extras {
  /** Plugins by hand; they come before those of packages. */
  readonly plugins?: readonly Plugin[];
  /** Default: nothing is logged. */
  readonly logger?: Logger;
  /** URLs or absolute paths of modules from which plugin packages are resolved, in order; default: the working directory. */
  readonly appRoots?: readonly string[];
  /** The application's version, as `serverInfo` reports it. */
  readonly version?: string;
}

export interface TroveOptions extends Extras {
  /** Folder for everything that is kept; default: `$TROVE_HOME`, else `~/.trove`. Created for its owner alone. */
  readonly home?: string;
  /** The settings of `server.toml`; each has a default. */
  readonly settings?: SettingsInput;
}

/**
 * The engine with its default plugins. Relative paths in calls are resolved against the working directory.
 * Throws `config_invalid` for wrong settings and `storage_unavailable` for a home that cannot be used.
 */
export async function createTrove(options: TroveOptions = {}): Promise<Engine> {
  const { home, settings, ...extras } = options;
  const resolved = resolveSettings(settings ?? {}, {
    home: home === undefined ? defaultHome() : resolve(home),
  });
  return withLocalPaths(await openTrove(resolved, extras));
}

/** Loads every plugin that the settings name and checks its configuration, without opening or making anything. */
export function checkPlugins(
  settings: ResolvedSettings,
  appRoots: readonly string[],
): Promise<ConfiguredPlugin[]> {
  return checkConfiguredPlugins({ ...engineOptions(settings), appRoots });
}

/** As `createTrove`, for settings that are resolved already and callers that pass absolute paths only. */
export async function openTrove(settings: ResolvedSettings, extras: Extras = {}): Promise<Engine> {
  await prepareHome(settings.home);
  return createEngine({
    ...engineOptions(settings),
    ...extras,
    machineId: await machineId(settings.home),
  });
}
