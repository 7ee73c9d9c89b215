import type { Conversion, ConversionRequest } from '@trove/core';
import { decodeHtml, MarkdownWriter, writeHtml } from '@trove/text/markdown';

import { damaged, encrypted } from '../errors.js';
import { descendantsOf } from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import { Archive } from '../zip/archive.js';
import { memberAt, readBook } from './book.js';

/** Algorithms that obfuscate fonts but no text. */
const fontAlgorithms = new Set([
  'http://www.idpf.org/2008/embedding',
  'http://ns.adobe.com/pdf/enc#RC',
]);

/** Converts the chapters in reading order. */
export function convertEpub({ bytes }: ConversionRequest): Conversion {
  const archive = new Archive(bytes);
  const { title, chapters } = readBook(archive);
  const locked = encryptedMembers(archive);
  const writer = new MarkdownWriter();
  let read = 0;
  for (const chapter of chapters) {
    if (writer.isFull) break;
    if (locked.has(chapter)) throw encrypted();
    const page = archive.read(chapter);
    if (page === undefined) continue;
    writeHtml(decodeHtml(page), writer);
    read++;
  }
  if (read === 0 && chapters.length > 0) throw damaged('has none of the chapters that it names');
  return writer.finish(title, 'The book has no text: it consists of pictures.');
}

/** Returns members that need a key of the bookseller. */
function encryptedMembers(archive: Archive): ReadonlySet<string> {
  const root = readXmlRoot(archive, 'META-INF/encryption.xml');
  const members = new Set<string>();
  for (const data of root === undefined ? [] : descendantsOf(root, 'EncryptedData')) {
    const [method] = descendantsOf(data, 'EncryptionMethod');
    if (fontAlgorithms.has(method?.attributes['Algorithm'] ?? '')) continue;
    for (const { attributes } of descendantsOf(data, 'CipherReference')) {
      members.add(memberAt('', attributes['URI'] ?? ''));
    }
  }
  return members;
}
