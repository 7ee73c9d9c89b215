import type { HttpDescription } from '@trove/connector-kit/http';

import { nodeDocument, readDocx, typeReason } from './documents.js';
import { membersOf, type FeishuFile } from './forms.js';
import type { FeishuLocation } from './location.js';

type Linked = Pick<HttpDescription, 'check' | 'streams'>;

const metasPath = '/open-apis/drive/v1/metas/batch_query';
const filesPath = '/open-apis/drive/v1/files';

/** The page of a wiki, without the pages below it. */
export function wikiPageOf(location: FeishuLocation): Linked {
  const request = {
    get: '/open-apis/wiki/v2/spaces/get_node',
    query: { token: location.token },
  };
  return {
    check: { ...request, say: 'Connected to the page {data.node.title}.' },
    streams: {
      nodes: {
        ...request,
        items: onlyNode,
        keep: ['obj_token'],
        document: { ...nodeDocument(location), path: '{title}~{node_token}.txt' },
        read: readDocx('obj_token'),
      },
    },
  };
}

/** One document. */
export function documentOf({ host, token }: FeishuLocation): Linked {
  const request = {
    post: metasPath,
    body: { request_docs: [{ doc_token: token, doc_type: 'docx' }], with_url: false },
  };
  return {
    check: {
      ...request,
      say: ({ data }: { readonly data: { readonly metas: readonly { title: string }[] } }) =>
        `Connected to the document ${data.metas[0]?.title}.`,
    },
    streams: {
      documents: {
        ...request,
        items: 'data.metas',
        keep: ['doc_token'],
        document: {
          path: '{title}~{doc_token}.txt',
          identity: 'doc_token',
          title: 'title',
          url: `https://${host}/docx/{doc_token}`,
          modifiedAt: 'latest_modify_time',
          mediaType: () => 'text/plain',
        },
        read: readDocx('doc_token'),
      },
    },
  };
}

/** A folder of the drive, with the folders in it. */
export function folderOf({ token }: FeishuLocation): Linked {
  const request = { get: filesPath, query: { folder_token: token, page_size: 200 } };
  return {
    check: { ...request, say: () => 'Connected to the folder.' },
    streams: {
      files: {
        ...request,
        page: {
          by: 'cursor',
          from: 'data.next_page_token',
          more: 'data.has_more',
          send: 'query.page_token',
        },
        items: 'data.files',
        nested: {
          when: isFolder,
          send: { query: { folder_token: '{container.token}' } },
        },
        keep: ['token'],
        document: {
          path: '{name}~{token}.txt',
          identity: 'token',
          title: 'name',
          url: 'url',
          modifiedAt: 'modified_time',
          mediaType: () => 'text/plain',
          fields: { folder: 'parent_token' },
          skip: (item: unknown) => typeReason(membersOf<FeishuFile>(item).type ?? ''),
        },
        read: readDocx('token'),
      },
    },
  };
}

/** Failures of single documents come with status 200. */
export const refusedDocument = {
  when: ({ body }: { readonly body: unknown }): boolean => {
    const { data }: { readonly data?: { readonly failed_list?: readonly unknown[] } } =
      Object(body);
    return (data?.failed_list ?? []).length > 0;
  },
  do: 'fail',
  code: 'forbidden',
  say: 'The app may not read this document, or it was deleted. Add the app to the document as a reader.',
} as const;

function onlyNode(body: unknown): readonly unknown[] {
  const { data }: { readonly data?: { readonly node?: unknown } } = Object(body);
  return data?.node === undefined ? [] : [data.node];
}

function isFolder(item: unknown): boolean {
  return membersOf<FeishuFile>(item).type === 'folder';
}
