import { devNull } from 'node:os';

/** Variables of git's own that say which certificates to trust; every other one could lead it somewhere else. */
const inheritedNames = new Set(['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']);

/** What git runs with: no settings of the machine or a user, no questions, no fetching by itself, and English. */
export function gitEnvironment(additions: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || inheritedNames.has(name),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    LANGUAGE: 'C',
    // Commands that name no repository look for none.
    GIT_DIR: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...additions,
  };
}
