import type { StatusResponse } from '@trove/client';
import type { JSX } from 'preact';
import { shownUri } from '../parts/names.js';
import { counted, shownBytes } from '../parts/numbers.js';

/** Shown sources. The others are one row. */
const maxSources = 10;

const partNames: Readonly<Record<string, string>> = {
  metadata: 'Metadata',
  index: 'Index',
  transformation_cache: 'Cached embeddings and answers',
  artifact_cache: 'Converted documents',
  uploads: 'Uploaded files',
  home: 'Home',
};

/** What takes space on the disks of the server, and how much is left. */
export function DiskUse({ status }: { readonly status: StatusResponse }): JSX.Element {
  const { disk, disk_space: disks, connectors } = status;
  const parts = Object.entries(disk).map(([name, bytes]) => ({ name: partName(name), bytes }));
  return (
    <>
      <h2>Disk</h2>
      <div class="disk-tables">
        <SizeTable caption="By part" first="Part" rows={parts} />
        {connectors.length > 0 && (
          <SizeTable caption="By source" first="Source" rows={largestSources(connectors)} />
        )}
      </div>
      <dl class="facts">
        {disks.map(({ name, free_bytes: free }) => [
          <dt key={`${name} name`}>
            Free on the disk of {disks.length === 1 ? 'the server' : partName(name).toLowerCase()}
          </dt>,
          <dd key={`${name} value`}>{free === null ? 'unknown' : shownBytes(free)}</dd>,
        ])}
      </dl>
    </>
  );
}

interface Size {
  readonly name: string;
  /** Null if unknown. */
  readonly bytes: number | null;
}

interface SizeTableProps {
  readonly caption: string;
  /** The title of the first column. */
  readonly first: string;
  readonly rows: readonly Size[];
}

/** Sizes as a table and as bars, largest first. */
function SizeTable({ caption, first, rows }: SizeTableProps): JSX.Element {
  const sizes = rows.toSorted((one, other) => (other.bytes ?? -1) - (one.bytes ?? -1));
  const max = Math.max(1, ...sizes.map(({ bytes }) => bytes ?? 0));
  return (
    <table class="sizes">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Size</th>
        </tr>
      </thead>
      <tbody>
        {sizes.map(({ name, bytes }) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * (bytes ?? 0)) / max} height={1} />
              </svg>
            </th>
            <td>{bytes === null ? 'unknown' : shownBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function largestSources(connectors: StatusResponse['connectors']): Size[] {
  const sizes = connectors
    .map(({ root_uri: root, disk_bytes: bytes }) => ({ name: shownUri(root), bytes }))
    .sort((one, other) => (other.bytes ?? -1) - (one.bytes ?? -1));
  const others = sizes.slice(maxSources);
  if (others.length === 0) return sizes;
  const bytes = others.reduce((sum, { bytes: each }) => sum + (each ?? 0), 0);
  return [...sizes.slice(0, maxSources), { name: counted(others.length, 'other source'), bytes }];
}

function partName(name: string): string {
  return partNames[name] ?? name.replaceAll('_', ' ');
}
