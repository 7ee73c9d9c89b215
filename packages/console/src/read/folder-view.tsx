import type { LsEntry } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted, shownBytes, shownNumber } from '../parts/numbers.js';
import { shownName } from '../parts/names.js';
import { readHref } from './read-href.js';

const pageEntries = 200;

/** The entries of a folder, in pages. */
export function FolderView({ entries }: { readonly entries: readonly LsEntry[] }): JSX.Element {
  const [filter, setFilter] = useState('');
  const [page, setPage] = useState(0);
  const wanted = filter.toLowerCase();
  const matching =
    wanted === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(matching.length / pageEntries));
  const current = Math.min(page, pages - 1);
  const shown = matching.slice(current * pageEntries, (current + 1) * pageEntries);
  if (entries.length === 0) return <p class="soft">The folder is empty.</p>;
  return (
    <>
      <div class="list-tools">
        <label>
          <span class="hidden">Filter these names</span>
          <input
            type="search"
            placeholder="Filter these names"
            value={filter}
            onInput={(event) => {
              setFilter(event.currentTarget.value);
              setPage(0);
            }}
          />
        </label>
        <span class="soft" role="status">
          {counted(matching.length, 'entry', 'entries')}
        </span>
        {pages > 1 && (
          <span class="pages">
            <button
              type="button"
              class="small"
              disabled={current === 0}
              onClick={() => setPage(current - 1)}
            >
              Earlier
            </button>
            <span class="soft">
              Page {shownNumber(current + 1)} of {shownNumber(pages)}
            </span>
            <button
              type="button"
              class="small"
              disabled={current === pages - 1}
              onClick={() => setPage(current + 1)}
            >
              Later
            </button>
          </span>
        )}
      </div>
      <div class="table-box">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">Index</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry.path ?? entry.name}>
                <td>
                  <EntryName entry={entry} />
                </td>
                <td class="number">
                  {entry.size_hint === null || entry.type === 'dir'
                    ? ''
                    : shownBytes(entry.size_hint)}
                </td>
                <td class="soft">{statusOf(entry)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function EntryName({ entry: { name, path, type } }: { readonly entry: LsEntry }): JSX.Element {
  const text = `${shownName(name)}${type === 'dir' ? '/' : ''}`;
  return path === null ? (
    <bdi>{text}</bdi>
  ) : (
    <a href={readHref(path)}>
      <bdi>{text}</bdi>
    </a>
  );
}

function statusOf({ search_status: status, indexable, reason }: LsEntry): string {
  if (reason !== null) return shownName(reason);
  if (indexable === false) return 'left out';
  return status === null ? '' : status.replaceAll('_', ' ');
}
