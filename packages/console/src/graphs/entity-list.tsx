import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../parts/numbers.js';
import type { DrawnEntity } from './graph-growth.js';

interface Props {
  readonly entities: readonly DrawnEntity[];
  readonly onChoose: (id: string) => void;
}

const maxNames = 200;

/** The drawn entities by name, for people who cannot see or click the drawing. */
export function EntityList({ entities, onChoose }: Props): JSX.Element {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = entities
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, maxNames);
  return (
    <details class="entities" id="entities">
      <summary>{counted(entities.length, 'entity', 'entities')}</summary>
      <input
        type="search"
        aria-label="Find an entity"
        placeholder="Find an entity"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <ul>
        {shown.map(({ id, name }) => (
          <li key={id}>
            <button type="button" class="link" dir="auto" onClick={() => onChoose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
