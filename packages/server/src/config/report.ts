import { sep } from 'node:path';
import { replacedBuiltins, settingKeys, redactUrl, type ConfiguredPlugin } from 'trove';
import type { ServerConfig } from './load.js';

/**
 * Returns the output of `trove-server reload`: the backends, then every setting with its origin. Secrets of
 * plugins are hidden as their schemas declare.
 */
export function reportConfig(config: ServerConfig, plugins: readonly ConfiguredPlugin[]): string {
  const { settings, file, origins } = config;
  const { metadata, transformation_cache: cache, index, embedding } = settings;
  const lines = [
    `config                ${file ?? 'built-in defaults'}`,
    `home                  ${settings.home}`,
    '',
    `metadata              ${metadata.backend}${placeOf(metadata)}`,
    `transformation cache  ${cache.enabled ? `${cache.backend}${placeOf(cache)}` : 'off'}`,
    `artifact cache        folder ${settings.artifact_cache.path}`,
    `uploads               folder ${settings.uploads.path}`,
    `index                 ${redactUrl(index.uri)}`,
    `embedding             ${[embedding.provider, embedding.model ?? []].flat().join(' ')}`,
    `language model        ${[settings.llm.provider, settings.llm.model ?? []].flat().join(' ')}`,
    `worker                ${runsWorkerInProcess(settings) ? 'in this process' : 'trove-server worker'}`,
    '',
    ...settingRows(settings, origins, plugins),
    ...warningsOf(config).map((text) => `warning: ${text}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns warnings about settings that are valid but probably unintended. */
export function warningsOf({ settings, ignored }: ServerConfig): string[] {
  return [
    ...ignored.map((variable) => `${variable} is not a setting and is ignored`),
    ...replacedBuiltins(settings).map(
      ({ name, plugin, builtin, package: other }) =>
        `${name}: ${other} serves ${plugin} instead of the built-in ${builtin}`,
    ),
    ...(hasPrivateUploads(settings)
      ? [
          'uploads.path: other servers and workers cannot read this folder, so they cannot index uploads',
        ]
      : []),
  ];
}

/** A shared database with a private upload folder. */
function hasPrivateUploads({ metadata, uploads, home }: ServerConfig['settings']) {
  return metadata.backend === 'postgres' && uploads.path.startsWith(home + sep);
}

/** Whether a server with these settings runs queued jobs. */
export function runsWorkerInProcess({ worker, metadata }: ServerConfig['settings']): boolean {
  return worker.in_process && metadata.backend === 'sqlite';
}

function placeOf(database: { backend: string; path: string }): string {
  return database.backend === 'sqlite' ? ` ${database.path}` : '';
}

function settingRows(
  settings: object,
  origins: ReadonlyMap<string, string>,
  configured: readonly ConfiguredPlugin[],
): string[] {
  const rows = settingKeys.map(({ section, key, name, schema }) => {
    const table: unknown = section === null ? settings : valueOf(settings, section);
    const value = typeof table === 'object' && table !== null ? valueOf(table, key) : undefined;
    const shown = schema.writeOnly === true ? hidden(value) : show(value);
    return [name, shown, origins.get(name) ?? 'default'] as const;
  });
  const plugins = Object.entries(valueOf(settings, 'plugins') ?? {}).map(
    ([key, value]) => [`plugins.${key}`, show(value), origins.get(`plugins.${key}`) ?? ''] as const,
  );
  const ofPlugins = configured.flatMap(({ kind, key, config }) =>
    Object.entries(config).flatMap(([setting, value]) => {
      const name = `plugin_config.${kind}.${key}.${setting}`;
      const origin = originOf(origins, name);
      return origin === null ? [] : [[name, show(value), origin] as const];
    }),
  );
  const all = [...rows, ...plugins, ...ofPlugins];
  const nameWidth = Math.max(...all.map(([name]) => name.length));
  const valueWidth = Math.min(40, Math.max(...all.map(([, value]) => value.length)));
  return all.map(
    ([name, value, origin]) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${origin}`,
  );
}

/** Returns the origin of a setting, or of the first value inside it. */
function originOf(origins: ReadonlyMap<string, string>, name: string): string | null {
  const inside = [...origins].find(([full]) => full === name || full.startsWith(`${name}.`));
  return inside?.[1] ?? null;
}

function valueOf(table: object, key: string): unknown {
  return Object.entries(table).find(([name]) => name === key)?.[1];
}

function hidden(value: unknown): string {
  return value === undefined || value === '' ? '-' : '***';
}

function show(value: unknown): string {
  if (value === undefined || value === '') return '-';
  return typeof value === 'string' ? redactUrl(value) : JSON.stringify(value);
}
