import { isTroveError, TroveError } from '@trove/core';

const untrustedCertificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const noTls: readonly [string, string] = [
  'does not use TLS on this port',
  'Check the port, or try http:// instead of https://.',
];

/** Problem and advice by system error code. */
const explanations: Readonly<Record<string, readonly [problem: string, advice?: string]>> = {
  ENOTFOUND: [
    'has no address',
    'Check the spelling of the host name and the DNS settings of this machine.',
  ],
  EAI_AGAIN: [
    'cannot be resolved at the moment',
    'Check that this machine is connected to the network.',
  ],
  ECONNREFUSED: ['refuses connections', 'Check the port, and whether the service is running.'],
  UND_ERR_CONNECT_TIMEOUT: [
    'does not accept a connection in time',
    'Check the address, and whether a firewall blocks the connection.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  CERT_HAS_EXPIRED: [
    'has a certificate that has expired',
    'Ask the operator of the host to renew it.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another name',
    'Use the host name in the certificate.',
  ],
};
const authorityAdvice =
  'If your own certificate authority signed it, start Trove with NODE_EXTRA_CA_CERTS set to the certificate file of that authority.';

/** Error codes that an immediate retry may avoid. */
const transientCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN']);

/** Whether the error is transient, so a new connection may succeed. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(rootOf(error)));
}

/** Explains why a host could not be reached, and what to do. Returns a `TroveError` unchanged. */
export function toConnectionError(error: unknown, { host }: URL, firstByteMs: number): TroveError {
  const root = rootOf(error);
  if (isTroveError(root)) return root;
  const code = codeOf(root);
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return timeoutError(`${host} did not respond within ${firstByteMs / 1000} s`);
  if (untrustedCertificateCodes.has(code)) {
    return new TroveError(
      'connector_unhealthy',
      `${host} has a certificate that is not trusted (${code})`,
      {
        cause: error,
        suggestions: [authorityAdvice],
      },
    );
  }
  // System error messages contain addresses, which must not be shown.
  const [problem, advice] = explanations[code] ?? [
    `cannot be reached (${code || messageOf(root)})`,
  ];
  return new TroveError('connector_unhealthy', `${host} ${problem}`, {
    cause: error,
    retryable: true,
    ...(advice === undefined ? {} : { suggestions: [advice] }),
  });
}

/** Explains why a response body ended early. */
export function toReadError(error: unknown, { host }: URL, silenceMs: number): TroveError {
  const root = rootOf(error);
  if (codeOf(root) === 'UND_ERR_BODY_TIMEOUT')
    return timeoutError(`The response of ${host} stopped: no data for ${silenceMs / 1000} s`);
  return new TroveError(
    'connector_unhealthy',
    `The response of ${host} ended early: ${messageOf(root)}`,
    {
      cause: error,
      retryable: true,
    },
  );
}

/** The error of a redirect that is not followed. */
export function redirectError({ host }: URL, problem: string): TroveError {
  return new TroveError('connector_unhealthy', `${host} ${problem}`);
}

function timeoutError(detail: string): TroveError {
  return new TroveError('timed_out', detail, { retryable: true });
}

/** Finds the reason: `fetch` only reports "fetch failed" and puts the reason into the cause. */
function rootOf(error: unknown): unknown {
  if (isTroveError(error) || !(error instanceof Error)) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  return error.cause === undefined ? error : rootOf(error.cause);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
