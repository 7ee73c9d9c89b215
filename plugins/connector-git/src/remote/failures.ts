import { failureOf, type GitFailure } from '../failures.js';

/** The failed request. */
export interface RemoteRequest {
  readonly host: string;
  readonly ref: string;
  readonly isAnonymous: boolean;
}

interface KnownRemoteFailure {
  readonly pattern: RegExp;
  readonly detail: (request: RemoteRequest, match: RegExpExecArray) => string;
  readonly suggestion: (request: RemoteRequest) => string;
  /** Whether a retry may succeed. */
  readonly retryable?: boolean;
}

const knownFailures: readonly KnownRemoteFailure[] = [
  {
    pattern:
      /error: 401|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled/,
    detail: ({ host, isAnonymous }) =>
      isAnonymous
        ? `${host} requires a user name and a password for this repository, or does not have it.`
        : `${host} rejects the user name or the password.`,
    suggestion: ({ isAnonymous }) =>
      isAnonymous
        ? 'Set `username` and `password` (a password or access token, as env:NAME), or correct the target.'
        : 'Correct `username` and `password`. An access token may have expired, or may not allow reading the repository.',
  },
  {
    pattern: /error: 403/,
    detail: ({ host }) => `${host} does not let this user read the repository.`,
    suggestion: () => 'Allow the user or the access token to read it.',
  },
  {
    pattern: /error: 30[12378]/,
    detail: ({ host }) => `${host} redirects to another address of the repository.`,
    suggestion: () =>
      'Use the address at which a browser or `git clone` ends. It often ends in .git or begins with https.',
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
      'Correct the target, or set `username` and `password`, because hosts hide private repositories.',
  },
  {
    pattern: /couldn't find remote ref|not our ref|unadvertised object/,
    detail: ({ ref }) => `The repository has no branch, tag or commit "${ref}".`,
    suggestion: () =>
      'Set `ref` in the configuration to an existing branch, tag or full commit id.',
  },
  {
    pattern: /Could not resolve host/,
    detail: ({ host }) => `${host} has no address.`,
    suggestion: () => 'Check the spelling of the host and the network.',
    retryable: true,
  },
  {
    pattern: /certificate|SSL|TLS/,
    detail: ({ host }) => `${host} has a certificate that is not trusted.`,
    suggestion: () =>
      'If your own authority signed it, start the server with GIT_SSL_CAINFO=/path/of/authorities.pem.',
  },
  {
    pattern: /Failed to connect|Couldn't connect|Connection refused|Connection timed out/,
    detail: ({ host }) => `${host} does not accept connections.`,
    suggestion: () => 'Check the port, the service and the firewalls.',
    retryable: true,
  },
  {
    pattern: /not valid: is this a git repository|invalid server response/,
    detail: ({ host }) => `${host} does not answer like a git server at this address.`,
    suggestion: () => 'Correct the target. It is the address that `git clone` takes.',
  },
  {
    pattern:
      /early EOF|RPC failed|unexpected disconnect|hung up|too slow|Empty reply|reset by peer|Recv failure|transfer closed|invalid index-pack|fetch-pack/,
    detail: ({ host }) => `${host} broke off its answer or sent nothing for a minute.`,
    suggestion: () => 'Try again later.',
    retryable: true,
  },
];

/** Translates the error output of a fetch into a message for users. */
export function remoteFailureOf(stderr: string, request: RemoteRequest): GitFailure {
  for (const { pattern, detail, suggestion, retryable = false } of knownFailures) {
    const match = pattern.exec(stderr);
    if (match === null) continue;
    return {
      detail: detail(request, match),
      suggestions: [suggestion(request)],
      retryable,
    };
  }
  return { ...failureOf(stderr), suggestions: ['Try again later.'], retryable: true };
}
