/** A message of JSON-RPC, as far as the proxy reads it. */
export interface JsonRpcMessage {
  /** Missing for notifications. */
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const parseError = -32_700;
const internalError = -32_603;

/** Parses a line of the client. Returns null if it is not a JSON object. */
export function parseMessage(line: string): JsonRpcMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return null;
    const { id, method, params } = value;
    return {
      ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
      ...(typeof method === 'string' ? { method } : {}),
      ...(isObject(params) ? { params } : {}),
    };
  } catch {
    return null;
  }
}

/** The answer to a line that is not a message. */
export function parseErrorMessage(): string {
  return errorMessage(null, parseError, 'The line is not a JSON object');
}

/** The answer to a request that did not reach the server, or that the server refused. */
export function failureMessage({ id }: JsonRpcMessage, reason: string): string {
  return errorMessage(id ?? null, internalError, reason);
}

function errorMessage(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
