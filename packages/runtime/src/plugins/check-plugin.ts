import { apiVersion, TroveError, type Plugin, type PluginKind, type PluginOf } from '@trove/core';
import { checkSchema } from '../validation.js';
import { unknownMembers } from './plugin-members.js';
import { setupProblems } from './setup-problems.js';

/** Maximum time limit that a converter may declare per document. */
const maxTimeoutMs = 3_600_000;

const kinds: Readonly<Record<PluginKind, true>> = {
  connector: true,
  'metadata-store': true,
  'transformation-cache': true,
  'vector-index': true,
  embedder: true,
  'language-model': true,
  reranker: true,
  converter: true,
};

/**
 * Checks that a value is a plugin. Throws `plugin_api_mismatch`, or `plugin_invalid` naming every missing or
 * wrong member. `origin` is the package or place of the value.
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

/** Finds the plugin that serves a key. */
export function pluginFor<K extends PluginKind>(
  plugins: readonly Plugin[],
  kind: K,
  key: string,
): PluginOf<K> | undefined {
  return plugins.find(
    (plugin): plugin is PluginOf<K> => plugin.kind === kind && plugin.keys.includes(key),
  );
}

function problemsOf(value: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const { kind } = value;
  if (!isPluginKind(kind)) return [`kind must be one of ${Object.keys(kinds).join(', ')}`];
  if (value['apiVersion'] === undefined)
    problems.push(`apiVersion is missing (write ${apiVersion})`);
  problems.push(...keyProblems(kind, value['keys']));
  problems.push(...unknownMembers(kind, value));
  const { workerModule, timeoutMs } = value;
  if (workerModule !== undefined && typeof workerModule !== 'string')
    problems.push('workerModule must be a string: import.meta.url');
  if (timeoutMs !== undefined && !isTimeout(timeoutMs))
    problems.push(`timeoutMs must be a number of 1 to ${maxTimeoutMs}`);
  const { login } = value;
  if (login !== undefined && typeof login !== 'function') problems.push('login must be a function');
  problems.push(...setupProblems(value['setup'], value['configSchema']));
  if (typeof value['create'] !== 'function') problems.push('create must be a function');
  if (!isRecord(value['configSchema'])) problems.push('configSchema must be a JSON Schema object');
  else checkSchema(value['configSchema']);
  return problems;
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= maxTimeoutMs;
}

export const pluginKinds: readonly PluginKind[] = Object.keys(kinds).filter(isPluginKind);

/** Whether a value names a kind of plugin. */
export function isPluginKind(kind: unknown): kind is PluginKind {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind);
}

function keyProblems(kind: PluginKind, keys: unknown): string[] {
  const isText = (key: unknown): boolean => typeof key === 'string' && key !== '';
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isText))
    return ['keys must be an array of strings'];
  const isScheme = (key: unknown): boolean => /^[a-z][a-z0-9+.-]*$/.test(String(key));
  return kind === 'connector' && !keys.every(isScheme)
    ? ['keys of a connector must be lower-case URI schemes']
    : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
