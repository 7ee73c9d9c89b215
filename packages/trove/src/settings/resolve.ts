import { resolve } from 'node:path';
import { TroveError } from '@trove/core';
import { checkSettings, type OriginOf } from './check.js';
import type { Settings } from './schema.js';

/** Settings with absolute paths and a backend for the cache. */
export interface ResolvedSettings extends Settings {
  /** Absolute path of the home. */
  readonly home: string;
  readonly transformation_cache: Settings['transformation_cache'] & { readonly backend: string };
}

export interface ResolveOptions {
  /** Absolute path of the home. */
  readonly home: string;
  readonly originOf?: OriginOf;
}

/** Validates settings, fills in defaults and derives the rest. Throws `config_invalid`. */
export function resolveSettings(input: unknown, options: ResolveOptions): ResolvedSettings {
  const { home } = options;
  const settings = checkSettings(input, options.originOf);
  const { metadata, transformation_cache: cache, artifact_cache: artifacts } = settings;
  const { index, uploads, log } = settings;
  requireDsn('metadata', metadata);
  requireModel(settings);
  requireProxies(settings);
  const resolvedCache = {
    ...cache,
    backend: cache.backend ?? metadata.backend,
    path: resolve(home, cache.path),
  };
  const dsn = cache.dsn ?? metadata.dsn;
  if (dsn !== undefined) resolvedCache.dsn = dsn;
  if (cache.enabled) requireDsn('transformation_cache', resolvedCache);
  return {
    ...settings,
    home,
    metadata: { ...metadata, path: resolve(home, metadata.path) },
    transformation_cache: resolvedCache,
    artifact_cache: { ...artifacts, path: resolve(home, artifacts.path) },
    uploads: { ...uploads, path: resolve(home, uploads.path) },
    log: log.file === undefined ? log : { ...log, file: resolve(home, log.file) },
    index: { ...index, uri: isUri(index.uri) ? index.uri : resolve(home, index.uri) },
  };
}

function requireDsn(section: string, database: { backend: string; dsn?: string }): void {
  if (database.backend !== 'postgres' || database.dsn !== undefined) return;
  throw new TroveError('config_invalid', `${section}.dsn: is required by the backend postgres`, {
    suggestions: [`Set \`dsn\` in [${section}], such as postgres://user@host/database.`],
  });
}

/** The provider `rules` cannot write summaries or descriptions. */
function requireModel({ llm, summary, description }: Settings): void {
  const asking = summary.enabled ? 'summary' : description.enabled ? 'description' : null;
  if (asking === null || llm.provider !== 'rules') return;
  throw new TroveError('config_invalid', `${asking}.enabled: requires a language model`, {
    suggestions: ['Set `provider` in [llm] to `openai` or `ollama`.'],
  });
}

/** Without these, the header would have no effect, or users would have other rights than stated. */
function requireProxies({ access, auth_token: token }: Settings): void {
  const problem = problemOfAccess(access, token);
  if (problem === null) return;
  const [detail, suggestion] = problem;
  throw new TroveError('config_invalid', detail, { suggestions: [suggestion] });
}

function problemOfAccess(
  { proxy_header: header, trusted_proxies: proxies, users }: Settings['access'],
  token: string,
): readonly [string, string] | null {
  const names = Object.entries(users);
  const wrong = names.find(([, { rights, paths }]) => rights === 'admin' && paths !== undefined);
  if (wrong !== undefined)
    return [
      `access.users.${wrong[0]}.paths: a user with the right admin sees all`,
      'Use the right `sync` or `read`, or remove the paths.',
    ];
  if (header === undefined)
    return names.length === 0 && proxies.length === 0
      ? null
      : [
          'access.proxy_header: is required by the other settings of [access]',
          'Set `proxy_header` in [access], such as "X-Forwarded-User".',
        ];
  if (proxies.length === 0)
    return [
      'access.trusted_proxies: is required by proxy_header',
      'Set `trusted_proxies` in [access], such as ["127.0.0.1"].',
    ];
  if (token.trim() === '-')
    return ['auth_token: is required by access.proxy_header', 'Remove `auth_token = "-"`.'];
  return null;
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
