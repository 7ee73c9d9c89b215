import type { ResolvedSettings } from './settings/resolve.js';
import { settingKeys } from './settings/keys.js';

/** Returns the variables and files of the server's own secrets, which no source may use. */
export function listOwnSecrets(settings: ResolvedSettings): {
  readonly variables: readonly string[];
  readonly files: readonly string[];
} {
  // The configurations of plugins are for sources.
  const { plugins: _plugins, plugin_config: _config, ...own } = settings;
  const references = collectTexts(own);
  const after = (scheme: string): string[] =>
    references.filter((text) => text.startsWith(scheme)).map((text) => text.slice(scheme.length));
  const secrets = settingKeys.filter(({ schema }) => schema.writeOnly === true);
  return {
    variables: ['TROVE_API_TOKEN', ...secrets.map(variableOf), ...after('env:')],
    files: after('file:').filter((path) => path.startsWith('/')),
  };
}

function variableOf({ name }: { readonly name: string }): string {
  return `TROVE_${name.replaceAll('.', '_').toUpperCase()}`;
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(collectTexts);
}
