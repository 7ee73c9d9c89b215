import { TroveApiError } from '@trove/client';

import { readRecord } from '../serve/record.js';
import type { Cli } from './cli.js';
import { translateError, type TypedCommand } from './error-translation.js';

/**
 * Rewrites an API error for the user of the command line. Adds commands, hints to start the server, and the origin of
 * the token. JSON output keeps the API's message.
 */
export function toUserError(error: unknown, cli: Cli, typed: TypedCommand): unknown {
  if (!(error instanceof TroveApiError)) return error;
  if (error.code === 'connection_failed' && error.status === 0) {
    return withSuggestions(error, isUntrusted(error) ? trustHints : startHints(cli));
  }
  if (error.code === 'unauthorized') return withSuggestions(error, tokenHints(cli));
  const shown = cli.json ? error : translateError(error, typed, cli);
  const isAboutGraphs = typed.path[1] === 'graph';
  const commands = (isAboutGraphs ? graphHintsByCode : hintsByCode)[error.code];
  const saysHow = shown.suggestions.some((text) => text.includes('`trove '));
  if (commands === undefined || saysHow) return shown;
  return withSuggestions(shown, [...shown.suggestions, commands]);
}

const hintsByCode: Readonly<Record<string, string>> = {
  not_found:
    '`trove status` lists the sources, `trove ls PATH` what is in them, `trove job list` the jobs; `trove add PATH` adds a source.',
  sync_already_running:
    '`trove job list --status running` shows it, `trove job cancel JOB` ends it.',
};

const graphHintsByCode: Readonly<Record<string, string>> = {
  not_found: '`trove graph list` lists the graphs; `trove graph import PATH` builds one.',
  graph_busy: '`trove graph list` shows the graphs as they are until the new one is whole.',
};

/** Codes of Node for certificates of an unknown authority. */
const untrustedCertificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const trustHints = [
  'Name the certificate of the authority that signed it: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
];

/**
 * Tests if the server's certificate cannot be verified. The causes are searched, because `fetch` wraps socket errors.
 */
function isUntrusted(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && untrustedCertificateCodes.has(String(cause.code))) return true;
  }
  return false;
}

function startHints(cli: Cli): string[] {
  if (!cli.local) return ['Check the endpoint, and that the server runs and can be reached.'];
  const running = readRecord(cli.home);
  if (running !== undefined && running.endpoint !== cli.endpoint) {
    return [`A server was started at ${running.endpoint}: add --endpoint ${running.endpoint}`];
  }
  return ['Start the server: trove serve start', 'See what it wrote: trove serve logs'];
}

function tokenHints({ token, unsetVariable, profile, local, home }: Cli): string[] {
  if (token !== undefined) return [`The token from ${token.source} was refused.`];
  if (unsetVariable !== undefined)
    return [`The profile ${profile} takes its token from ${unsetVariable}, which is not set.`];
  return local
    ? [`No token was found in TROVE_API_TOKEN, client.toml or ${home}/server.token.`]
    : ['Give the token in TROVE_API_TOKEN or in a profile of client.toml.'];
}

function withSuggestions(error: TroveApiError, suggestions: readonly string[]): TroveApiError {
  const { status, code, detail } = error;
  return new TroveApiError({ status, code, detail, suggestions, cause: error });
}
