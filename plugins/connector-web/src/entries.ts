import type { Entry } from '@trove/core';

import type { FetchedPage } from './page-store.js';
import type { DocumentFacts } from './visit.js';

export function pageEntry(
  path: string,
  { facts, ...page }: FetchedPage,
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

export function documentEntry(path: string, document: DocumentFacts, { href }: URL): Entry {
  return { path, ...document, url: href };
}

export function skippedEntry(path: string, skip: string, { href }: URL): Entry {
  return { path, size: null, modifiedAt: null, fingerprint: null, url: href, skip };
}
