import { TroveError, type ErrorCode } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';

/** The refused request. */
export interface RefusedBlobRequest {
  readonly account: string;
  readonly container: string;
  /** Null for a request to the container itself. */
  readonly name: string | null;
  readonly host: string;
}

interface RefusalText {
  readonly code?: ErrorCode;
  readonly detail: string;
  readonly suggestion: string;
}

const loginCodes = new Set([
  'AuthenticationFailed',
  'InvalidAuthenticationInfo',
  'NoAuthenticationInformation',
  'AuthenticationRequired',
]);
const rightCodes = new Set([
  'AuthorizationPermissionMismatch',
  'AuthorizationResourceTypeMismatch',
  'AuthorizationServiceMismatch',
  'InsufficientAccountPermissions',
  'PublicAccessNotPermitted',
]);

/** Creates an error with a remedy for an unsuccessful response. */
export function refusalError(response: Response, request: RefusedBlobRequest): TroveError {
  const { status, headers } = response;
  const code = headers.get('x-ms-error-code') ?? '';
  if (status >= 500 || status === 429 || status === 408) {
    const pause = retryAfterMs(headers);
    const reason = code === '' ? `HTTP ${status}` : `HTTP ${status}, ${code}`;
    return new TroveError('connector_unhealthy', `${request.host} could not answer (${reason}).`, {
      suggestions: ['Try again later.'],
      retryable: true,
      ...(pause === undefined ? {} : { retryAfterMs: pause }),
    });
  }
  const text = textOf(status, code, request);
  return new TroveError(text.code ?? 'connector_unhealthy', text.detail, {
    suggestions: [text.suggestion],
  });
}

function textOf(
  status: number,
  code: string,
  { account, container, name, host }: RefusedBlobRequest,
): RefusalText {
  if (code === 'ContainerNotFound' || (status === 404 && name === null)) {
    return {
      detail: `There is no container "${container}" in the account "${account}", or it is not public.`,
      suggestion: 'Correct the target, or set a login.',
    };
  }
  if (status === 404 && name !== null) {
    return {
      code: 'not_found',
      detail: `There is nothing at "${name.slice(0, 200)}".`,
      suggestion: 'List the blobs with `ls`.',
    };
  }
  if (code === 'BlobArchived') {
    return {
      code: 'path_not_allowed',
      detail: `"${name ?? container}" is archived and cannot be read.`,
      suggestion: 'Rehydrate it to another access tier, or leave it out with `ignore`.',
    };
  }
  if (loginCodes.has(code)) {
    return {
      detail: `The storage account "${account}" refuses the login.`,
      suggestion:
        'Correct the key or the shared access signature. Signatures expire at the time `se` in them.',
    };
  }
  if (code === 'AuthorizationFailure' && name === null) {
    return {
      detail: `The storage account "${account}" refuses the login or this machine (AuthorizationFailure).`,
      suggestion: 'Correct the login, and allow this machine in the firewall of the account.',
    };
  }
  if (rightCodes.has(code) || status === 401 || status === 403) {
    // A forbidden blob is no failure of the container.
    return name === null
      ? {
          detail: `The login may not list the container "${container}" (${code || `HTTP ${status}`}).`,
          suggestion: 'A shared access signature needs the rights to read and to list (sp=rl).',
        }
      : {
          code: 'path_not_allowed',
          detail: `The login may not read "${name.slice(0, 200)}".`,
          suggestion: 'A shared access signature needs the right to read (sp=r).',
        };
  }
  if (status === 409 && name !== null) {
    return {
      code: 'path_not_allowed',
      detail: `"${name.slice(0, 200)}" cannot be read (${code || 'HTTP 409'}).`,
      suggestion: 'Leave it out with `ignore`.',
    };
  }
  return {
    detail: `${host} does not answer like Azure Blob Storage (HTTP ${status}${code === '' ? '' : `, ${code}`}).`,
    suggestion: 'Check `endpoint` in the configuration of the source.',
  };
}
