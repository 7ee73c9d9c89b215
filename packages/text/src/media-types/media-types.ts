import type { ObjectKind } from '@trove/core';
import { signatureOf } from './signatures.js';
import { sniff } from '../encodings/sniff.js';
import { mediaTypeTable } from './table.js';
import { typeOfZip } from './zip-content.js';

const byExtension = new Map<string, string>();
const byName = new Map<string, string>();
const kinds = new Map<string, ObjectKind>();
const binaryTypes = new Set<string>();

for (const [kind, mediaType, names] of mediaTypeTable) {
  kinds.set(mediaType, kind === 'binary document' ? 'document' : kind);
  if (kind === 'binary' || kind === 'binary document' || kind === 'image') {
    binaryTypes.add(mediaType);
  }
  for (const name of names.split(' ')) {
    if (name.startsWith('.')) byExtension.set(name.slice(1), mediaType);
    else byName.set(name, mediaType);
  }
}

/** Container formats. Often only the name identifies the content. */
const containers = new Set(['application/zip', 'application/gzip', 'application/x-ole-storage']);

const textStarts: readonly [RegExp, string][] = [
  [/^\{\\rtf1/, 'application/rtf'],
  [/^\s*<!doctype html/i, 'text/html'],
  [/^\s*<html[\s>]/i, 'text/html'],
  [/^\s*<\?xml\s/, 'application/xml'],
  [/^#!.*\bpython/, 'text/x-python'],
  [/^#!.*\b(?:node|deno|bun)\b/, 'text/javascript'],
  [/^#!.*\bruby\b/, 'text/x-ruby'],
  [/^#!.*\bperl\b/, 'text/x-perl'],
  [/^#!.*\b(?:ba|z|k|da|fi)?sh\b/, 'text/x-shellscript'],
];

/**
 * Returns the media type of an object, or null if neither name nor bytes determine it. Pass all bytes, or at least the
 * first few hundred. The content takes precedence: a text file named `logo.png` is `text/plain`, a script without
 * extension is recognised by its first line, and unknown text is `text/plain`.
 */
export function mediaTypeOf(path: string, bytes?: Uint8Array): string | null {
  const named = typeOfName(path);
  if (bytes === undefined || bytes.length === 0) return named;
  const signed = signatureOf(bytes);
  if (signed !== null) {
    const inside = signed === 'application/zip' ? typeOfZip(bytes) : null;
    if (isBinaryType(inside)) return inside;
    return containers.has(signed) && isBinaryType(named) ? named : signed;
  }
  const sniffed = sniff(bytes, { prefix: true });
  if (sniffed.binary) return isBinaryType(named) ? named : 'application/octet-stream';
  if (named !== null && !isBinaryType(named)) return named;
  return typeOfStart(bytes.subarray(sniffed.bomLength)) ?? 'text/plain';
}

/** Returns the kind of a file by whether it is text, and by its media type or, if that is null, its name. */
export function kindOf(path: string, mediaType: string | null, binary: boolean): ObjectKind {
  const type = mediaType ?? mediaTypeOf(path);
  const kind = type === null ? null : kindOfMediaType(type);
  if (binary) return kind === 'image' || kind === 'document' ? kind : 'binary';
  return kind === 'document' || kind === 'code' ? kind : 'text';
}

/** Returns the kind of objects with a media type. Null if neither the table nor the name of the type determines it. */
function kindOfMediaType(mediaType: string): ObjectKind | null {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const known = kinds.get(essence);
  if (known !== undefined) return known;
  if (essence.startsWith('image/')) return 'image';
  if (/^(?:audio|video|font)\//.test(essence)) return 'binary';
  if (/[+/](?:json|yaml|csv)$/.test(essence)) return 'text';
  if (/[+/]xml$/.test(essence)) return 'code';
  return essence.startsWith('text/') ? 'text' : null;
}

function typeOfName(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const exact = byName.get(name);
  if (exact !== undefined) return exact;
  // Tries `.d.ts` before `.ts`, and `Dockerfile.dev` without its extension.
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const type = byExtension.get(name.slice(dot + 1));
    if (type !== undefined) return type;
  }
  return byName.get(name.split('.', 1)[0] ?? '') ?? null;
}

function isBinaryType(mediaType: string | null): mediaType is string {
  return mediaType !== null && binaryTypes.has(mediaType);
}

function typeOfStart(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const found = textStarts.find(([pattern]) => pattern.test(start));
  return found?.[1] ?? null;
}
