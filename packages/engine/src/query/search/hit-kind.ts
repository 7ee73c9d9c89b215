import { parseUri } from '@trove/core';
import { demotedReasonField, type IndexHit } from '@trove/core/index';
import { documentTerms } from '@trove/text/analyzer';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import type { HitKind } from '../../api/schemas.js';
import { definitionsOf } from '../../content/chunking/index.js';
import { toDemotedReason } from '../../content/demotion.js';

const recordKinds: ReadonlySet<string> = new Set([
  'row_text',
  'thread_aggregate',
  'record_aggregate',
]);
/** Media types of texts that are written for readers. */
const documentationType =
  /^text\/(?:x-)?(?:markdown|mdx|rst|restructuredtext|asciidoc|html)\b|^application\/xhtml\+xml\b/;

/** Returns what a hit is. `names` are the terms of the names that the query asks for. */
export function hitKindOf(hit: IndexHit, names: readonly string[]): HitKind {
  const reason = toDemotedReason(hit.fields[demotedReasonField]);
  if (reason === 'commit') return 'commit';
  if (recordKinds.has(hit.kind)) return 'record';
  const path = pathOf(hit.source);
  const kind = kindOf(path, hit.mediaType, false);
  const definitions =
    kind === 'code' && hit.kind === 'body'
      ? definitionsOf({ text: hit.content, kind, mediaType: hit.mediaType, path })
      : null;
  if (definitions !== null && definesQueriedName(definitions, names)) return 'definition';
  if (reason === 'test' || reason === 'fixture') return 'test';
  if (definitions?.beginsWithDefinition === true) return 'definition';
  const type = hit.mediaType ?? mediaTypeOf(path) ?? '';
  return kind === 'document' || documentationType.test(type) ? 'documentation' : 'text';
}

function definesQueriedName(
  { names, members }: { readonly names: string; readonly members: string },
  queried: readonly string[],
): boolean {
  if (queried.length === 0) return false;
  const terms = new Set(documentTerms({ content: '', names, members }).terms.split(' '));
  return queried.some((name) => terms.has(name));
}

function pathOf(source: string): string {
  return parseUri(source).path;
}
