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
  if (typed.path[1] === 'add' && missingSetting.test(error.detail))
    return withSuggestions(shown, [settingsHint, ...shown.suggestions]);
  const isAboutGraphs = typed.path[1] === 'graph';
  const commands = (isAboutGraphs ? graphHintsByCode : hintsByCode)[error.code];
  const saysHow = shown.suggestions.some((text) => text.includes('`trove '));
  if (commands === undefined || saysHow) return shown;
  return withSuggestions(shown, [...shown.suggestions, commands]);
}

/** The message about a setting without which a source cannot be added. */
const missingSetting = /^(?:body\.)?config\.[\w.]+: is required/;
const settingsHint =
  '`trove-server connector add` asks for the settings of a source. Or write them to a file: --config FILE';

const hintsByCode: Readonly<Record<string, string>> = {
  not_found:
    '`trove status` lists the sources, `trove ls PATH` their objects, and `trove job list` the jobs. `trove add PATH` adds a source.',
  sync_already_running:
    '`trove job list --status running` shows the job; `trove job cancel JOB` cancels it.',
};

const graphHintsByCode: Readonly<Record<string, string>> = {
  not_found: '`trove graph list` lists the graphs; `trove graph import PATH` builds one.',
  graph_busy: '`trove graph list` shows the graphs; the old graph answers until the build ends.',
};

/** Codes of Node for certificates of an unknown authority. */
const untrustedCertificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const trustHints = [
  'Set the certificate of its authority: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
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
  if (!cli.local) return ['Check the endpoint, and that the server is running and reachable.'];
  const running = readRecord(cli.home);
  if (running !== undefined && running.endpoint !== cli.endpoint) {
    return [`A server was started at ${running.endpoint}: add --endpoint ${running.endpoint}`];
  }
  return ['Start the server: trove serve start', 'See its log: trove serve logs'];
}

function tokenHints({
  token,
  unsetVariable,
  otherTokenServer,
  profile,
  local,
  home,
}: Cli): string[] {
  if (token !== undefined) return [`The server rejected the token from ${token.source}.`];
  if (unsetVariable !== undefined)
    return [`The profile ${profile} takes its token from ${unsetVariable}, which is not set.`];
  if (otherTokenServer !== undefined) {
    return [
      `The token of the profile ${profile} is only sent to ${otherTokenServer}.`,
      'Choose a profile of this endpoint with --profile, add one with `trove login URL`, or set TROVE_API_TOKEN.',
    ];
  }
  return local
    ? [`No token was found in TROVE_API_TOKEN, client.toml or ${home}/server.token.`]
    : ['Set TROVE_API_TOKEN or the token of a profile in client.toml.'];
}

function withSuggestions(error: TroveApiError, suggestions: readonly string[]): TroveApiError {
  const { status, code, detail } = error;
  return new TroveApiError({ status, code, detail, suggestions, cause: error });
}
