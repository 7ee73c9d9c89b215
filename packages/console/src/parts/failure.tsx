import { TroveApiError } from '@trove/client';
import type { JSX } from 'preact';

/** Shows an error of a request with its remedies. */
export function Failure({ error }: { readonly error: unknown }): JSX.Element {
  const suggestions = error instanceof TroveApiError ? error.suggestions : [];
  return (
    <div class="notice bad" role="alert">
      <p>{messageOf(error)}</p>
      {suggestions.length > 0 && (
        <ul>
          {suggestions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function messageOf(error: unknown): string {
  if (error instanceof TroveApiError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
