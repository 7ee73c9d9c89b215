import type { HttpService } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

/** The members of a message that the connector uses. Changes of others are not reported. */
export const messageFields =
  'id,parentFolderId,conversationId,hasAttachments,isDraft,flag,categories,webLink,receivedDateTime,subject,bodyPreview';

const pageSize = 200;

/** A message as the service describes it. After the first listing, it may have only the members that changed. */
export interface GraphMessage {
  readonly id: string;
  readonly '@removed'?: unknown;
  readonly parentFolderId?: string;
  readonly conversationId?: string | null;
  readonly hasAttachments?: boolean;
  readonly isDraft?: boolean;
  readonly flag?: { readonly flagStatus?: string };
  readonly categories?: readonly string[];
  readonly webLink?: string;
  readonly receivedDateTime?: string;
  readonly subject?: string | null;
  readonly bodyPreview?: string;
}

/** A page of the messages of a folder, or of their changes. */
export interface DeltaPage {
  readonly messages: readonly GraphMessage[];
  /** The link to the next page. Null: this page is the last one. */
  readonly next: string | null;
  /** On the last page: the link to later changes. */
  readonly link: string | null;
}

/** Requests a page. Without a link, the first page of all messages. Returns the reason if there is none. */
export async function requestDelta(
  http: HttpService,
  root: string,
  folder: string,
  link: string | null,
  signal: AbortSignal,
): Promise<DeltaPage | 'expired' | 'gone'> {
  const request = {
    ...(link === null
      ? {
          get: () => `${root}/mailFolders/${encodeURIComponent(folder)}/messages/delta`,
          query: { $select: messageFields },
        }
      : { get: () => link }),
    headers: { prefer: `IdType="ImmutableId", odata.maxpagesize=${pageSize}` },
  };
  const errors = [{ when: { status: 410 }, do: 'expired' }] as const;
  const reply = await http.send(request, { signal, errors });
  if ('none' in reply) return reply.none === 'expired' ? 'expired' : 'gone';
  const { value, ...links }: Delta = Object(reply.answer.body);
  const next = links['@odata.nextLink'];
  const last = links['@odata.deltaLink'];
  const messages = Array.isArray(value) ? value.filter(isMessage) : [];
  const isUsable = Array.isArray(value) && (messages.length > 0 || value.length === 0);
  if (!isUsable || (typeof next !== 'string' && typeof last !== 'string'))
    throw invalid('Microsoft Graph returned no list of messages');
  if (next !== undefined && next === link)
    throw invalid('The list of messages repeats a page and would never end');
  return {
    messages,
    next: typeof next === 'string' ? next : null,
    link: typeof last === 'string' ? last : null,
  };
}

interface Delta {
  readonly value?: unknown;
  readonly '@odata.nextLink'?: unknown;
  readonly '@odata.deltaLink'?: unknown;
}

export function isMessage(value: unknown): value is GraphMessage {
  const { id }: { readonly id?: unknown } = Object(value);
  return typeof id === 'string';
}

function invalid(detail: string): TroveError {
  return new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
}
