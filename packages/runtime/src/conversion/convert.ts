import { isTroveError, TroveError, type Converter } from '@trove/core';
import type { Guard } from '../plugins/guard.js';
import { artifactOf, artifactOfError, type Artifact } from './artifact.js';
import { checkConversion } from './conversion-check.js';

/** A document to convert. */
export interface DocumentInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Without parameters. */
  readonly mediaType: string;
}

export interface ConvertLimits {
  readonly ms: number;
  /** Maximum size of the Markdown. */
  readonly bytes: number;
}

export interface ConvertResult {
  readonly artifact: Artifact;
  /** Whether the same bytes always give this result. False for unexpected errors of a converter. */
  readonly cacheable: boolean;
}

/** Converts a document in the calling thread. Returns errors of the document as artifacts. */
export async function runConverter(
  guard: Guard<Converter>,
  name: string,
  { bytes, mediaType }: DocumentInput,
  limits: ConvertLimits,
  signal: AbortSignal,
  progress: () => void = () => undefined,
): Promise<ConvertResult> {
  try {
    const artifact = await guard.call('convert', limits.ms, signal, async (converter) =>
      artifactOf(
        checkConversion(await converter.convert({ bytes, mediaType, signal, progress }), name),
      ),
    );
    if (artifact.length > limits.bytes) throw tooMuchText(limits.bytes);
    return { artifact, cacheable: true };
  } catch (error) {
    if (!isTroveError(error)) throw error;
    if (isDocumentError(error)) return { artifact: artifactOfError(error), cacheable: true };
    if (error.code !== 'internal_error') throw error;
    const damaged = new TroveError('document_damaged', error.detail, { cause: error });
    return { artifact: artifactOfError(damaged), cacheable: false };
  }
}

/** Whether an error is permanent for this document. */
export function isDocumentError(error: unknown): boolean {
  return isTroveError(error) && documentErrorCodes.has(error.code);
}

const documentErrorCodes: ReadonlySet<string> = new Set([
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
]);

function tooMuchText(limit: number): TroveError {
  return new TroveError(
    'document_too_complex',
    `The text of the document has more than ${limit} bytes`,
  );
}
