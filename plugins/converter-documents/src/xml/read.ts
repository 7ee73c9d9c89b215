import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

import { damaged, tooComplex } from '../errors.js';
import type { Archive } from '../zip/archive.js';
import { ElementBuilder } from './builder.js';
import type { XmlElement } from './element.js';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Handlers for an XML file. An element is either built with its content or reported while it is read. */
export interface XmlHandler {
  /** Whether to build elements of this name. Their descendants become part of them. */
  whole(name: string): boolean;
  /** Whether to skip elements of this name with their content. */
  without?(name: string): boolean;
  /** Receives an element that was built. */
  take(element: XmlElement): void;
  /** Called for an element that is not built. */
  enter?(name: string, attributes: XmlAttributes): void;
  leave?(name: string): void;
  /** Stops reading when it returns true. Called regularly. */
  enough?(): boolean;
}

const maxDepth = 500;
const maxAttributes = 10_000;
/** The maximum length of one text, comment or attribute. The parser collects it before it calls a handler. */
const maxToken = 32 * 1024 * 1024;

/** Reads a member of an archive in pieces. Throws if it is missing or not well formed. */
export function readXml(archive: Archive, member: string, reading: XmlHandler): void {
  const builder = new ElementBuilder();
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  let skipped = 0;
  let sinceToken = 0;
  let attributesOfTag = 0;
  parser.on('error', (error) => {
    // An undefined entity stays unchanged, because entity definitions in documents are ignored.
    if (!isEntityError(error)) throw damaged(`has invalid XML in ${member}`, error);
  });
  parser.on('attribute', () => {
    attributesOfTag++;
    if (attributesOfTag > maxAttributes) throw tooComplex(`has too many attributes in ${member}`);
  });
  parser.on('opentag', ({ name: qualified, attributes }) => {
    const name = localName(qualified);
    sinceToken = 0;
    attributesOfTag = 0;
    depth++;
    if (depth > maxDepth) throw tooComplex(`has XML nested too deeply in ${member}`);
    if (skipped > 0 || reading.without?.(name) === true) skipped++;
    else if (builder.growing || reading.whole(name)) builder.open(name, attributes);
    else reading.enter?.(name, attributes);
  });
  parser.on('closetag', ({ name: qualified }) => {
    sinceToken = 0;
    depth--;
    if (skipped > 0) {
      skipped--;
    } else if (builder.growing) {
      const element = builder.close();
      if (element !== undefined) reading.take(element);
    } else {
      reading.leave?.(localName(qualified));
    }
  });
  const addText = (text: string): void => {
    sinceToken = 0;
    if (skipped === 0 && builder.growing) builder.text(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  let decoder: TextDecoder | undefined;
  let stopped = false;
  archive.stream(member, (chunk) => {
    decoder ??= new TextDecoder(encodingOf(chunk));
    sinceToken += chunk.length;
    if (sinceToken > maxToken) throw tooComplex(`has too long a text in ${member}`);
    parser.write(decoder.decode(chunk, { stream: true }));
    stopped = reading.enough?.() ?? false;
    return !stopped;
  });
  if (!stopped) parser.close();
}

/** Returns the root of a small file, or undefined if the archive has no such member. */
export function readXmlRoot(archive: Archive, member: string | undefined): XmlElement | undefined {
  if (member === undefined || !archive.has(member)) return undefined;
  let root: XmlElement | undefined;
  readXml(archive, member, {
    whole: () => true,
    take: (element) => {
      root = element;
    },
  });
  return root;
}

/** The messages of saxes for unresolved references. Its errors have no codes. */
const entityErrors = new Set([
  'undefined entity.',
  'disallowed character in entity name.',
  'malformed character entity.',
  'empty entity name.',
]);

export function isEntityError(error: Error): boolean {
  return entityErrors.has(error.message);
}

function localName(qualified: string): string {
  const colon = qualified.indexOf(':');
  return colon === -1 ? qualified : qualified.slice(colon + 1);
}

/** Detects the encoding by a byte-order mark or by the first bytes of a declaration in UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}
