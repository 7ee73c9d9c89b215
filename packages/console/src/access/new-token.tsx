import type { CreatedToken } from '@trove/client';
import type { JSX } from 'preact';
import { CopiedCommand } from '../parts/copied-command.js';

/** Shows a new token, or nothing before it exists. */
export function NewToken({ created }: { readonly created: CreatedToken | null }): JSX.Element {
  return (
    <div role="status">
      {created !== null && (
        <CopiedCommand
          label={`The token ${created.name}. It is not shown again.`}
          text={created.token}
        />
      )}
    </div>
  );
}
