import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { ConfirmButton } from '../parts/confirm-button.js';

const hourS = 3600;
const dayS = 24 * hourS;
const overlaps = [
  ['0', 'at once'],
  [`${hourS}`, 'in an hour'],
  [`${dayS}`, 'in a day'],
  [`${7 * dayS}`, 'in a week'],
  [`${30 * dayS}`, 'in 30 days'],
] as const;

interface Props {
  readonly name: string;
  /** `overlapS`: seconds until the replaced token ends. */
  readonly onRotate: (overlapS: number) => void;
}

/** Asks when the replaced token ends, and rotates it. */
export function RotateToken({ name, onRotate }: Props): JSX.Element {
  const id = useId();
  const [overlap, setOverlap] = useState(`${dayS}`);
  return (
    <ConfirmButton
      label="Rotate"
      action="Rotate the token"
      title={`Rotate ${name}?`}
      onConfirm={() => onRotate(Number(overlap))}
    >
      <p>A new token with the same name, rights, paths and lifetime replaces this one.</p>
      <div class="field">
        <label for={id}>The replaced token ends</label>
        <select id={id} value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
          {overlaps.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </ConfirmButton>
  );
}
