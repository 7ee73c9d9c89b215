import type { ResultEnvelope } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { base } from '../address.js';
import { CopiedCommand } from '../parts/copied-command.js';
import { linesOf } from '../parts/locators.js';
import { readCommands } from '../read/read-commands.js';

/** Reading a passage as calls of other programs. */
export function HitCommands({ hit }: { readonly hit: ResultEnvelope }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const lines = linesOf(hit.locator);
  const choice = {
    path: hit.source,
    lines,
    locator: lines === null ? hit.locator : null,
    from: 1,
  };
  return (
    <details class="why" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Read it elsewhere</summary>
      {isOpen &&
        readCommands(base, choice).map(({ label, text }) => (
          <CopiedCommand key={label} label={label} text={text} />
        ))}
    </details>
  );
}
