import { TroveApiError } from './error.js';

/** The bytes of an upload, such as a Readable of Node, sent as they arrive. Errors of its source end the call. */
export type UploadBody =
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Uint8Array<ArrayBuffer>
  | Blob;

type QueryValue = string | number | boolean | null | undefined;

/** One call, as the generated methods describe it. */
export interface ApiRequest {
  readonly method: string;
  /** The path with its parameters filled in. */
  readonly path: string;
  /** Undefined and null values are omitted. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly json?: unknown;
  /** Sent as a multipart form: lists as repeated fields, Blobs as files. Undefined and null values are omitted. */
  readonly form?: object | undefined;
  readonly upload?: { readonly contentType: string; readonly body: UploadBody } | undefined;
}

/** Encodes one path segment. Throws `validation_error` for values that URLs do not keep as one segment. */
export function pathSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new TroveApiError({
      status: 0,
      code: 'validation_error',
      detail: `path.${name}: must not be empty, "." or ".."`,
      suggestions: [],
    });
  }
  return encodeURIComponent(value);
}

/** Returns the URL of a request below a base URL. */
export function requestUrl(baseUrl: string, request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return `${baseUrl.replace(/\/+$/, '')}${request.path}${search}`;
}

/** Returns the body and headers for `fetch`. Calls `onSourceError` when the source of an upload fails. */
export function requestBody(
  request: ApiRequest,
  onSourceError: (error: unknown) => void,
): {
  headers: Record<string, string>;
  init: RequestInit & { duplex?: 'half' };
} {
  if (request.upload !== undefined) {
    const { body, contentType } = request.upload;
    return {
      headers: { 'content-type': contentType },
      init: {
        body: isAsyncIterable(body) ? streamOf(body, onSourceError) : body,
        duplex: 'half',
      },
    };
  }
  if (request.form !== undefined) return { headers: {}, init: { body: formOf(request.form) } };
  if (request.json === undefined) return { headers: {}, init: {} };
  return {
    headers: { 'content-type': 'application/json' },
    init: { body: JSON.stringify(request.json) },
  };
}

function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of values) {
      if (item instanceof Blob) form.append(name, item);
      else if (typeof item === 'string') form.append(name, item);
      else if (item !== undefined && item !== null) form.append(name, JSON.stringify(item));
    }
  }
  return form;
}

function isAsyncIterable(body: UploadBody): body is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}

/** Reads one piece at a time, so a slow network slows down the source. */
function streamOf(
  pieces: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        onError(error);
        throw error;
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
