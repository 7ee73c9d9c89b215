import type { JSX } from 'preact';
import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { readHref } from './read-href.js';

const maxEntries = 300;

/** The headings or definitions of an object. Shows nothing for an object without them. */
export function Outline({ path }: { readonly path: string }): JSX.Element | null {
  const client = useClient();
  const { value } = useLoaded(
    (signal) => client.browse.cat({ path, density: 'peek' }, { signal }),
    [path],
  );
  const entries = value !== undefined && 'outline' in value ? (value.outline ?? []) : [];
  if (entries.length < 2) return null;
  return (
    <details class="outline" open={matchMedia('(min-width: 64rem)').matches}>
      <summary>Outline</summary>
      <nav aria-label="Outline">
        <ul>
          {entries.slice(0, maxEntries).map(({ line, end, text, name, level }) => (
            <li key={line} class={`level-${Math.min(level, 4)}`}>
              <a href={readHref(path, { lines: [line, end] })} title={text.trim()}>
                <bdi>{name ?? text.trim()}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}
