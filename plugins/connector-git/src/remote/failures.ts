import { failureOf, type GitFailure } from '../failures.js';

/** Who was asked for what. */
export interface RemoteRequest {
  readonly host: string;
  readonly ref: string;
  readonly isAnonymous: boolean;
}

interface KnownRemoteFailure {
  readonly pattern: RegExp;
  readonly detail: (asked: RemoteRequest, match: RegExpExecArray) => string;
  readonly suggestion: (asked: RemoteRequest) => string;
  /** Whether the same may succeed later. */
  readonly retryable?: boolean;
}

const knownFailures: readonly KnownRemoteFailure[] = [
  {
    pattern:
      /error: 401|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled/,
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
    pattern: /error: 403/,
    detail: ({ host }) => `${host} does not let this user read the repository.`,
    suggestion: () => 'Give the user, or the access token, the right to read it.',
  },
  {
    pattern: /error: 30[12378]/,
    detail: ({ host }) => `${host} says that the repository is somewhere else.`,
    suggestion: () =>
      'Give the address that a browser or `git clone` ends at; often it ends in .git, or begins with https.',
  },
  {
    pattern: /error: 429|error: 5\d\d/,
    detail: ({ host }) => `${host} could not answer.`,
    suggestion: () => 'Try again later.',
    retryable: true,
  },
  {
    pattern: /repository '.*' not found|error: 404|remote: Repository not found/i,
    detail: ({ host }) => `There is no such repository at ${host}.`,
    suggestion: () =>
      'Correct the target; hosts say the same of private repositories to those who may not see them.',
  },
  {
    pattern: /couldn't find remote ref|not our ref|unadvertised object/,
    detail: ({ ref }) => `The repository has no branch, tag or commit "${ref}".`,
    suggestion: () =>
      'Set `ref` in the configuration to a branch, a tag or the full id of a commit that exists there.',
  },
  {
    pattern: /Could not resolve host/,
    detail: ({ host }) => `${host} has no address.`,
    suggestion: () => 'Check the spelling of the host, and the network.',
    retryable: true,
  },
  {
    pattern: /certificate|SSL|TLS/,
    detail: ({ host }) => `${host} has a certificate that is not trusted.`,
    suggestion: () =>
      'If an authority of your own signed it, start the server with GIT_SSL_CAINFO=/path/of/authorities.pem.',
  },
  {
    pattern: /Failed to connect|Couldn't connect|Connection refused|Connection timed out/,
    detail: ({ host }) => `${host} does not accept connections.`,
    suggestion: () =>
      'Check the port, that the service runs there, and whether a firewall is in between.',
    retryable: true,
  },
  {
    pattern: /not valid: is this a git repository|invalid server response/,
    detail: ({ host }) => `${host} does not answer as a git server does at this address.`,
    suggestion: () => 'Correct the target: it is what follows `git clone`.',
  },
  {
    pattern:
      /early EOF|RPC failed|unexpected disconnect|hung up|too slow|Empty reply|reset by peer|Recv failure|transfer closed|invalid index-pack|fetch-pack/,
    detail: ({ host }) => `${host} broke off its answer, or sent nothing for a minute.`,
    suggestion: () => 'Try again later.',
    retryable: true,
  },
];

/** What git says when it cannot get something from a host. */
export function remoteFailureOf(stderr: string, request: RemoteRequest): GitFailure {
  for (const { pattern: sign, detail, suggestion, retryable: passes = false } of knownFailures) {
    const match = sign.exec(stderr);
    if (match === null) continue;
    return {
      detail: detail(request, match),
      suggestions: [suggestion(request)],
      retryable: passes,
    };
  }
  return { ...failureOf(stderr), suggestions: ['Try again later.'], retryable: true };
}
