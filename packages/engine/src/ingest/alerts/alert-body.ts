import type { Incident } from '@trove/core/store';
import { toIsoTime } from '../jobs/job-view.js';

/** What a webhook or a command receives, as JSON. */
export interface AlertBody {
  readonly event: 'source_failing' | 'source_recovered' | 'disk_low';
  /** Root URI; null for a disk. */
  readonly source: string | null;
  readonly code: string;
  /** For people. Contains no secret. */
  readonly detail: string;
  /** The start of the failure, in ISO 8601. */
  readonly since: string;
  /** A page with the details. Null if the address of the server is unknown. */
  readonly url: string | null;
}

/** `baseUrl`: the address of the server, or null. */
export function sourceAlert(
  event: AlertBody['event'],
  source: string,
  { code, since }: Pick<Incident, 'code' | 'since'>,
  detail: string,
  baseUrl: string | null,
): AlertBody {
  const path = `#/source?root=${encodeURIComponent(source)}`;
  return { event, source, code, detail, since: toIsoTime(since), url: urlOf(baseUrl, path) };
}

export function diskAlert(
  { code, since }: Pick<Incident, 'code' | 'since'>,
  detail: string,
  baseUrl: string | null,
): AlertBody {
  const url = urlOf(baseUrl, '#/health');
  return { event: 'disk_low', source: null, code, detail, since: toIsoTime(since), url };
}

function urlOf(baseUrl: string | null, path: string): string | null {
  return baseUrl === null ? null : `${baseUrl.replace(/\/+$/, '')}/${path}`;
}
