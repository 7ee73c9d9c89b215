import { apiVersion, TroveError, type Plugin, type PluginKind, type PluginOf } from '@trove/core';
import { checkSchema } from '../validation.js';

/** What a converter may take for one document. */
const longestMs = 3_600_000;

/** The member of each kind that holds its key or keys. */
const keyMembers = {
  connector: 'scheme',
  'metadata-store': 'backends',
  'transformation-cache': 'backends',
  'vector-index': 'schemes',
  embedder: 'provider',
  'language-model': 'provider',
  converter: 'mediaTypes',
} as const satisfies Record<PluginKind, string>;

/**
 * Checks that a value is a plugin. Throws `plugin_api_mismatch`, or `plugin_invalid` naming every missing or wrong
 * member. `origin` is the package or place it came from.
 */
export function checkPlugin(value: unknown, origin: string): Plugin {
  if (!isRecord(value)) {
    throw new TroveError('plugin_invalid', `${origin}: the default export is not a plugin object`);
  }
  if (value['apiVersion'] !== undefined && value['apiVersion'] !== apiVersion) {
    throw new TroveError(
      'plugin_api_mismatch',
      `${origin} was written for plugin API ${JSON.stringify(value['apiVersion'])}; this Trove has ${apiVersion}`,
    );
  }
  const problems = problemsOf(value);
  if (problems.length > 0) {
    throw new TroveError('plugin_invalid', `${origin}: ${problems.join('; ')}`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- problemsOf is the guard
  return value as unknown as Plugin;
}

/** The keys a plugin serves. */
export function keysOf(plugin: Plugin): readonly string[] {
  switch (plugin.kind) {
    case 'connector':
      return [plugin.scheme];
    case 'embedder':
    case 'language-model':
      return [plugin.provider];
    case 'vector-index':
      return plugin.schemes;
    case 'converter':
      return plugin.mediaTypes;
    case 'metadata-store':
    case 'transformation-cache':
      return plugin.backends;
  }
}

/** The one among plugins that serves a key. */
export function pluginFor<K extends PluginKind>(
  plugins: readonly Plugin[],
  kind: K,
  key: string,
): PluginOf<K> | undefined {
  return plugins.find(
    (plugin): plugin is PluginOf<K> => plugin.kind === kind && keysOf(plugin).includes(key),
  );
}

function problemsOf(value: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const { kind } = value;
  if (!isPluginKind(kind)) return [`kind must be one of ${Object.keys(keyMembers).join(', ')}`];
  if (value['apiVersion'] === undefined)
    problems.push(`apiVersion is missing (write ${apiVersion})`);
  const member = keyMembers[kind];
  if (!isKey(value[member], member.endsWith('s'))) {
    problems.push(`${member} must be ${member.endsWith('s') ? 'an array of texts' : 'a text'}`);
  } else if (kind === 'connector' && !/^[a-z][a-z0-9+.-]*$/.test(String(value[member]))) {
    problems.push('scheme must be a lower-case URI scheme');
  }
  const { workerModule, limitMs } = value;
  if (workerModule !== undefined && typeof workerModule !== 'string')
    problems.push('workerModule must be a text: import.meta.url');
  if (limitMs !== undefined && !isLimit(limitMs))
    problems.push(`limitMs must be a number of 1 to ${longestMs}`);
  if (typeof value['create'] !== 'function') problems.push('create must be a function');
  if (!isRecord(value['configSchema'])) problems.push('configSchema must be a JSON Schema object');
  else checkSchema(value['configSchema']);
  return problems;
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= longestMs;
}

export const pluginKinds: readonly PluginKind[] = Object.keys(keyMembers).filter(isPluginKind);

/** Whether a value names a kind of plugin. */
export function isPluginKind(kind: unknown): kind is PluginKind {
  return typeof kind === 'string' && Object.hasOwn(keyMembers, kind);
}

function isKey(value: unknown, several: boolean): boolean {
  const isText = (part: unknown): boolean => typeof part === 'string' && part !== '';
  return several ? Array.isArray(value) && value.length > 0 && value.every(isText) : isText(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
