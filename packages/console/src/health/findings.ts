import type { StatusResponse } from '@trove/client';
import { shownName, shownUri } from '../parts/names.js';

/** Returns the problems of a server in sentences. */
export function findingsOf({ connectors, disk_space: disks, embedding }: StatusResponse): string[] {
  const failing = connectors
    .filter(({ error }) => error !== null)
    .map(
      ({ root_uri: root, error, detail }) =>
        `${shownUri(root)}: ${shownName(detail ?? error ?? '')}`,
    );
  const full = disks.flatMap(({ detail }) => (detail === null ? [] : [shownName(detail)]));
  const { switch: change } = embedding;
  const switching =
    change === null
      ? []
      : [
          `The embedder changed. ${change.sources_done} of ${change.sources} sources are indexed with the new one. Only words find passages of the others.`,
        ];
  return [...failing, ...full, ...switching];
}
