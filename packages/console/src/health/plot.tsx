import type { JSX } from 'preact';

interface Props {
  readonly name: string;
  /** The latest value for people. */
  readonly shown: string;
  /** Oldest first. Null where there is none. */
  readonly values: readonly (number | null)[];
}

const width = 100;
const height = 30;

/** The course of a value since the page was opened. */
export function Plot({ name, shown, values }: Props): JSX.Element {
  const known = values.filter((value) => value !== null);
  const max = Math.max(...known, 0) || 1;
  const step = width / Math.max(1, values.length - 1);
  const points = values.flatMap((value, index) =>
    value === null
      ? []
      : [`${(index * step).toFixed(1)},${(height - (value / max) * height).toFixed(1)}`],
  );
  return (
    <li class="card plot">
      <span class="soft">{name}</span> <strong>{shown}</strong>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </li>
  );
}
