import { failureOf, type Failure } from '../failures.js';

/** Who was asked for what. */
export interface AskedRemote {
  readonly host: string;
  readonly ref: string;
  readonly isAnonymous: boolean;
}

interface Known {
  readonly sign: RegExp;
  readonly detail: (asked: AskedRemote, match: RegExpExecArray) => string;
  readonly suggestion: (asked: AskedRemote) => string;
  /** Whether the same may succeed later. */
  readonly passes?: boolean;
}

const known: readonly Known[] = [
  {
    sign: /error: 401|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled/,
    detail: ({ host, isAnonymous }) =>
      isAnonymous
        ? `${host} wants a user name and a password for this repository, or does not have it.`
        : `${host} refuses the user name or the password.`,
    suggestion: ({ isAnonymous }) =>
      isAnonymous
        ? 'Set `username` and `password` (a password or an access token, as env:NAME), or correct the target.'
        : 'Correct `username` and `password`; an access token may have expired, or lack the right to read the repository.',
  },
  {
    sign: /error: 403/,
    detail: ({ host }) => `${host} does not let this user read the repository.`,
    suggestion: () => 'Give the user, or the access token, the right to read it.',
  },
  {
    sign: /error: 30[12378]/,
    detail: ({ host }) => `${host} says that the repository is somewhere else.`,
    suggestion: () =>
      'Give the address that a browser or `git clone` ends at; often it ends in .git, or begins with https.',
  },
  {
    sign: /error: 429|error: 5\d\d/,
    detail: ({ host }) => `${host} could not answer.`,
    suggestion: () => 'Try again later.',
    passes: true,
  },
  {
    sign: /repository '.*' not found|error: 404|remote: Repository not found/i,
    detail: ({ host }) => `There is no such repository at ${host}.`,
    suggestion: () =>
      'Correct the target; hosts say the same of private repositories to those who may not see them.',
  },
  {
    sign: /couldn't find remote ref|not our ref|unadvertised object/,
    detail: ({ ref }) => `The repository has no branch, tag or commit "${ref}".`,
    suggestion: () =>
      'Set `ref` in the configuration to a branch, a tag or the full id of a commit that exists there.',
  },
  {
    sign: /Could not resolve host/,
    detail: ({ host }) => `${host} has no address.`,
    suggestion: () => 'Check the spelling of the host, and the network.',
    passes: true,
  },
  {
    sign: /certificate|SSL|TLS/,
    detail: ({ host }) => `${host} has a certificate that is not trusted.`,
    suggestion: () =>
      'If an authority of your own signed it, start the server with GIT_SSL_CAINFO=/path/of/authorities.pem.',
  },
  {
    sign: /Failed to connect|Couldn't connect|Connection refused|Connection timed out/,
    detail: ({ host }) => `${host} does not accept connections.`,
    suggestion: () =>
      'Check the port, that the service runs there, and whether a firewall is in between.',
    passes: true,
  },
  {
    sign: /not valid: is this a git repository|invalid server response/,
    detail: ({ host }) => `${host} does not answer as a git server does at this address.`,
    suggestion: () => 'Correct the target: it is what follows `git clone`.',
  },
  {
    sign: /early EOF|RPC failed|unexpected disconnect|hung up|too slow|Empty reply|reset by peer|Recv failure|transfer closed|invalid index-pack|fetch-pack/,
    detail: ({ host }) => `${host} broke off its answer, or sent nothing for a minute.`,
    suggestion: () => 'Try again later.',
    passes: true,
  },
];

/** What git says when it cannot get something from a host. */
export function remoteFailureOf(said: string, asked: AskedRemote): Failure {
  for (const { sign, detail, suggestion, passes = false } of known) {
    const match = sign.exec(said);
    if (match === null) continue;
    return { detail: detail(asked, match), suggestions: [suggestion(asked)], passes };
  }
  return { ...failureOf(said), suggestions: ['Try again later.'], passes: true };
}
