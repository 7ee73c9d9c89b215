import { resolve } from 'node:path';
import type { Logger, Plugin, PluginKind } from '@trove/core';
import { machineId } from '@trove/connector-file/local';
import {
  checkConfiguredPlugins,
  openEngine,
  testAlerts,
  type Access,
  type AlertTest,
  type Engine,
  type Operations,
} from '@trove/engine';
import { createGraphs, createHiddenGraphs, readOnlyGraphs, type Graphs } from '@trove/graph';
import type { Override } from '@trove/engine/di';
import {
  listPlugins,
  listSourceKinds,
  PluginRegistry,
  type ConfiguredPlugin,
  type ListedPlugin,
  type ListedSourceKind,
} from '@trove/runtime';
import { createBackups, forbiddenBackups, type Backups } from './backup/backups.js';
import { alertOptions, engineOptions, listOwnPaths } from './engine-options.js';
import { graphOptions } from './graph-options.js';
import { defaultHome, prepareHome } from './home.js';
import { graphsWithLocalPaths, withLocalPaths } from './local-paths.js';
import { resolveSettings, type ResolvedSettings } from './settings/resolve.js';
import type { SettingsInput } from './settings/schema.js';

interface OpenTroveOptions {
  /** Plugin instances. They take precedence over packages. */
  readonly plugins?: readonly Plugin[];
  /** Default: no logging. */
  readonly logger?: Logger;
  /** Replacements of the engine's services. See `trove/di`. */
  readonly override?: readonly Override[];
  /**
   * URLs or absolute paths of modules from which plugin packages are resolved, in order. Default: the working
   * directory.
   */
  readonly appRoots?: readonly string[];
  /** Version of the application, which `serverInfo` reports. */
  readonly version?: string;
}

export interface TroveOptions extends OpenTroveOptions {
  /**
   * Folder for all persistent data. Default: `$TROVE_HOME`, otherwise `~/.trove`. Created with access for its
   * owner only.
   */
  readonly home?: string;
  /** The settings of `server.toml`. Each has a default. */
  readonly settings?: SettingsInput;
}

/** The operations that a caller may use. */
export interface TroveOperations extends Operations {
  readonly graph: Graphs;
  readonly backups: Backups;
}

/** The engine with its knowledge graphs and backups, which close with it. */
export interface Trove extends Engine, TroveOperations {
  restrictTo(access: Access): TroveOperations;
}

/**
 * Creates an engine with the default plugins. Relative paths in calls are resolved against the working
 * directory. Throws `config_invalid` for invalid settings, and `storage_unavailable` if the home cannot be
 * used.
 */
export async function createTrove(options: TroveOptions = {}): Promise<Trove> {
  const { home, settings, ...extras } = options;
  const resolved = resolveSettings(settings ?? {}, {
    home: home === undefined ? defaultHome() : resolve(home),
  });
  const { graph, backups, ...engine } = await openTrove(resolved, extras);
  return {
    ...withLocalPaths(engine),
    graph: graphsWithLocalPaths(graph),
    backups,
    restrictTo: (access) => {
      const { graph: visible, backups: permitted, ...operations } = engine.restrictTo(access);
      return {
        ...withLocalPaths(operations),
        graph: graphsWithLocalPaths(visible),
        backups: permitted,
      };
    },
  };
}

/** Loads the plugins in the settings and validates their configurations. Opens and creates nothing. */
export function checkPlugins(
  settings: ResolvedSettings,
  appRoots: readonly string[],
): Promise<ConfiguredPlugin[]> {
  return checkConfiguredPlugins({ ...engineOptions(settings), appRoots });
}

/** Loads all available plugins, or those of one kind. */
export function installedPlugins(
  settings: ResolvedSettings,
  appRoots: readonly string[],
  kind?: PluginKind,
): Promise<ListedPlugin[]> {
  const isWanted = (of: PluginKind): boolean => kind === undefined || of === kind;
  return listPlugins({ ...engineOptions(settings), appRoots }, isWanted);
}

/** Returns the kinds of sources of all available connectors, by name, without loading the connectors. */
export function installedSourceKinds(
  settings: ResolvedSettings,
  appRoots: readonly string[],
): Promise<ListedSourceKind[]> {
  return listSourceKinds(new PluginRegistry({ ...engineOptions(settings), appRoots }));
}

/** Sends a test alert to each receiver in the settings. Opens and creates nothing else. */
export function sendTestAlerts(settings: ResolvedSettings): Promise<AlertTest[]> {
  return testAlerts({ alerts: alertOptions(settings) });
}

/** Like `createTrove`, for resolved settings and callers that only pass absolute paths. */
export async function openTrove(
  settings: ResolvedSettings,
  extras: OpenTroveOptions = {},
): Promise<Trove> {
  await prepareHome(settings.home);
  const machine = await machineId(settings.home);
  const { engine, sharedServices } = await openEngine({
    ...engineOptions(settings),
    ...extras,
    machineId: machine,
  });
  const options = { ...graphOptions(settings, engine), machineId: machine };
  const graph = createGraphs(sharedServices, options);
  const { store, index, logger, signal, disposal } = sharedServices;
  const backups = createBackups({
    settings,
    store,
    index,
    logger,
    signal,
    version: extras.version ?? (await engine.serverInfo()).version,
    ownPaths: listOwnPaths(settings),
  });
  disposal.add('backups', () => backups.close());
  const readable = readOnlyGraphs(graph);
  const hidden = createHiddenGraphs(sharedServices, options);
  // A graph may contain texts of every source, so callers with paths see none.
  const graphsOf = ({ rights, paths }: Access): Graphs =>
    paths !== null ? hidden : rights === 'admin' ? graph : readable;
  return {
    ...engine,
    graph,
    backups,
    restrictTo: (access) => ({
      ...engine.restrictTo(access),
      graph: graphsOf(access),
      backups: access.rights === 'admin' ? backups : forbiddenBackups,
    }),
  };
}
