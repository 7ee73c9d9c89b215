/** Variables of git's own that say which certificates to trust; every other one could lead it somewhere else. */
const kept = new Set(['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']);

/** What git runs with: it asks nobody, writes nothing that it need not, fetches nothing by itself, and speaks English. */
export function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || kept.has(name),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // A partial clone would fetch what it lacks, by programs that its own configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...more,
  };
}

/**
 * Settings that take precedence over a repository's own, which may name programs to run. A repository is treated as
 * bare: nothing in its working tree, attributes included, has a say.
 */
export const settings: readonly string[] = [
  'core.bare=true',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'protocol.ext.allow=never',
  'log.showSignature=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);
