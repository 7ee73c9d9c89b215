import type { Entry } from '@trove/core';

import type { KnownPage } from './kept-pages.js';
import type { KnownDocument } from './visit.js';

export function pageEntry(
  path: string,
  { facts, ...page }: KnownPage,
  mapped: number | null,
): Entry {
  const { title, author, language, description } = facts;
  const fields = {
    ...(language === null ? {} : { language }),
    ...(description === null ? {} : { description }),
  };
  return {
    path,
    mediaType: 'text/html',
    size: page.size,
    modifiedAt: facts.modifiedAt ?? mapped ?? page.modifiedAt,
    fingerprint: facts.fingerprint,
    url: page.address,
    fields,
    ...(title === null ? {} : { title }),
    ...(author === null ? {} : { author }),
  };
}

export function documentEntry(path: string, document: KnownDocument, { href }: URL): Entry {
  return { path, ...document, url: href };
}

export function leftEntry(path: string, skip: string, { href }: URL): Entry {
  return { path, size: null, modifiedAt: null, fingerprint: null, url: href, skip };
}
