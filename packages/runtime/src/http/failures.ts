import { isTroveError, TroveError } from '@trove/core';

const untrustedCertificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const noTls: readonly [string, string] = [
  'does not speak TLS there',
  'Check the port, or try http:// instead of https://.',
];

/** What is wrong in words, and what to do about it, by the code of the system's error. */
const explanations: Readonly<Record<string, readonly [problem: string, advice?: string]>> = {
  ENOTFOUND: [
    'has no address',
    'Check the spelling of the host, and that its name can be resolved here.',
  ],
  EAI_AGAIN: ['cannot be looked up now', 'Check that this machine is connected to the network.'],
  ECONNREFUSED: ['refuses connections', 'Check the port, and that the service runs there.'],
  UND_ERR_CONNECT_TIMEOUT: [
    'does not accept a connection in time',
    'Check the address, and whether a firewall is in between.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  CERT_HAS_EXPIRED: ['has a certificate that has expired', 'Whoever runs it has to renew it.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate that is for another name',
    'Use the name that its certificate is for.',
  ],
};
const authorityAdvice =
  'If an authority of your own signed it, name the file of its certificate in NODE_EXTRA_CA_CERTS when you start Trove.';

/** Failures that the same request, sent again at once, may not meet. */
const transientCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN']);

/** Whether a connection broke in a way that a new one may not. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(rootOf(error)));
}

/** Why a host could not be asked, in one sentence that names it, and what to do. Errors of ours stay as they are. */
export function toConnectionError(error: unknown, { host }: URL, firstByteMs: number): TroveError {
  const root = rootOf(error);
  if (isTroveError(root)) return root;
  const code = codeOf(root);
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return timeoutError(`${host} gave no answer within ${firstByteMs / 1000} s`);
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
  // The system's own messages name addresses, which are nobody's business.
  const [problem, advice] = explanations[code] ?? [
    `cannot be reached (${code || messageOf(root)})`,
  ];
  return new TroveError('connector_unhealthy', `${host} ${problem}`, {
    cause: error,
    retryable: true,
    ...(advice === undefined ? {} : { suggestions: [advice] }),
  });
}

/** Why the rest of an answer did not come. */
export function toReadError(error: unknown, { host }: URL, silenceMs: number): TroveError {
  const root = rootOf(error);
  if (codeOf(root) === 'UND_ERR_BODY_TIMEOUT')
    return timeoutError(`The answer of ${host} broke off: nothing came for ${silenceMs / 1000} s`);
  return new TroveError(
    'connector_unhealthy',
    `The answer of ${host} broke off: ${messageOf(root)}`,
    {
      cause: error,
      retryable: true,
    },
  );
}

/** A host whose answers lead nowhere. */
export function redirectError({ host }: URL, problem: string): TroveError {
  return new TroveError('connector_unhealthy', `${host} ${problem}`);
}

function timeoutError(detail: string): TroveError {
  return new TroveError('timed_out', detail, { retryable: true });
}

/** `fetch` says only "fetch failed"; the reason is in the cause. */
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
