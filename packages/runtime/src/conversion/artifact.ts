import { isErrorCode, TroveError, type Conversion, type DocumentPart } from '@trove/core';

/** A converted document. */
export interface ConvertedDocument {
  /** Markdown in UTF-8. */
  readonly markdown: Uint8Array<ArrayBuffer>;
  readonly title: string | null;
  readonly parts: readonly DocumentPart[];
}

/** The bytes that a process returns and the cache stores: one line of JSON, then the Markdown. */
export type Artifact = Uint8Array<ArrayBuffer>;

interface ArtifactHeader {
  readonly title?: string;
  readonly parts?: readonly DocumentPart[];
  /** Set if the document has no Markdown. */
  readonly error?: Pick<TroveError, 'code' | 'detail' | 'suggestions'>;
}

const lineEnd = 10;

export function artifactOf({ markdown, title, parts }: Required<Conversion>): Artifact {
  return encodeArtifact({ title, parts }, markdown);
}

/** Encodes the error of a document that cannot be converted, so the cache can store it. */
export function artifactOfError({ code, detail, suggestions }: TroveError): Artifact {
  return encodeArtifact({ error: { code, detail, suggestions } }, '');
}

/**
 * Decodes an artifact into memory of its own, because readers transfer it to threads. Returns null for other
 * bytes. Throws the stored error.
 */
export function readArtifact(artifact: Uint8Array): ConvertedDocument | null {
  const end = artifact.indexOf(lineEnd);
  const head = end < 0 ? null : parseHeader(artifact.subarray(0, end));
  if (head === null) return null;
  const { error, title = '', parts = [] } = head;
  if (error !== undefined) {
    if (!isErrorCode(error.code)) return null;
    throw new TroveError(error.code, error.detail, { suggestions: error.suggestions });
  }
  return { markdown: artifact.slice(end + 1), title: title === '' ? null : title, parts };
}

function encodeArtifact(head: ArtifactHeader, markdown: string): Artifact {
  const encoder = new TextEncoder();
  const first = encoder.encode(`${JSON.stringify(head)}\n`);
  const body = encoder.encode(markdown);
  const all = new Uint8Array(first.length + body.length);
  all.set(first);
  all.set(body, first.length);
  return all;
}

function parseHeader(line: Uint8Array): ArtifactHeader | null {
  try {
    const head: unknown = JSON.parse(new TextDecoder().decode(line));
    return typeof head === 'object' ? head : null;
  } catch {
    return null;
  }
}
