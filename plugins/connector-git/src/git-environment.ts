import { devNull } from 'node:os';

/** Inherited git variables: those for trusted certificates. All others could redirect git. */
const inheritedNames = new Set(['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']);

/** Returns the environment of git: no settings of the machine or a user, no prompts, no lazy fetches, English messages. */
export function gitEnvironment(additions: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || inheritedNames.has(name),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    LANGUAGE: 'C',
    // Without a repository argument, git must not search for a repository.
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
