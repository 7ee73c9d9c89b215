import type { DocumentMapping, ReadDescription } from '@trove/connector-kit/http';

import { membersOf, type WikiNode } from './forms.js';
import type { FeishuLocation } from './location.js';

/** How a node of a wiki becomes a document. */
export function nodeDocument({ host }: FeishuLocation): Omit<DocumentMapping, 'path'> {
  return {
    identity: 'node_token',
    title: 'title',
    url: `https://${host}/wiki/{node_token}`,
    modifiedAt: 'obj_edit_time',
    mediaType: () => 'text/plain',
    fields: { parent: 'parent_node_token' },
    skip: skipReason,
  };
}

/** Requests the text of a document with one call. `token` is the member with its token. */
export function readDocx(token: string): ReadDescription {
  return {
    get: `/open-apis/docx/v1/documents/{${token}}/raw_content`,
    text: 'data.content',
    mediaType: () => 'text/plain',
  };
}

/** Returns the reason for not indexing an object of this type, or ''. */
export function typeReason(type: string): string {
  return type === 'docx' ? '' : `Feishu returns no text of a ${type}.`;
}

function skipReason(item: unknown): string {
  const { node_type: kind, obj_type: type = '' } = membersOf<WikiNode>(item);
  return kind === 'shortcut'
    ? 'A shortcut. Its target is indexed at its own place.'
    : typeReason(type);
}
