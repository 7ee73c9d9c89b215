import type { JSX } from 'preact';
import { ago } from './times.js';

/** A time relative to now. Its title is the exact time. */
export function Age({ time }: { readonly time: string }): JSX.Element {
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {ago(time)}
    </time>
  );
}
