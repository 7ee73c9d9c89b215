import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopiedCommand } from '../parts/copied-command.js';
import type { Session } from '../session.js';

/** Asks for a token. */
export function SignIn({ session }: { readonly session: Session }): JSX.Element {
  const [token, setToken] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void session.signIn(token.trim());
  };
  if (session.state === 'unreachable') {
    return (
      <div class="page narrow">
        <h1>The server does not answer</h1>
        <p>Check that the server is running at this address.</p>
        <button type="button" onClick={() => void session.start()}>
          Try again
        </button>
      </div>
    );
  }
  return (
    <form class="page narrow sign-in" onSubmit={submit}>
      <h1>Sign in</h1>
      <label for="token">Token</label>
      <input
        id="token"
        ref={field}
        type="password"
        autocomplete="off"
        required
        aria-describedby="token-help"
        aria-invalid={session.state === 'refused'}
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <p id="token-help" class="soft">
        Use the token that an administrator gave you. The browser forgets it when this tab is
        closed.
      </p>
      {session.state === 'refused' && (
        <p class="notice bad" role="alert">
          The server refuses this token.
        </p>
      )}
      {session.state === 'link-refused' && (
        <p class="notice bad" role="alert">
          This link was used before, or it is older than ten minutes.
        </p>
      )}
      <button type="submit" class="primary">
        Sign in
      </button>
      <h2>On your own machine</h2>
      <p>This command prints a link that signs you in:</p>
      <CopiedCommand label="Command line" text="trove console" />
      <p class="soft">
        Without the command: the token of the server is in the file <code>server.token</code> in its
        home, usually <code>~/.trove</code>.
      </p>
    </form>
  );
}
