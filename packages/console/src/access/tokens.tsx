import { TroveApiError, type TokenInfo } from '@trove/client';
import type { JSX } from 'preact';
import { Age } from '../parts/age.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import { Failure } from '../parts/failure.js';
import { shownUri } from '../parts/names.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { useLoaded } from '../use-loaded.js';
import { TokenForm } from './token-form.js';

/** The tokens of people, programs and agents, for administrators. */
export function Tokens(): JSX.Element {
  const client = useClient();
  const { value, error, reload } = useLoaded((signal) => client.access.listTokens({ signal }), []);
  const revoke = useAction(reload);
  if (error instanceof TroveApiError && error.code === 'forbidden')
    return <p class="soft">Only a token with the right “admin” can list and create tokens.</p>;
  return (
    <>
      <p>
        Give each person, program and agent a separate token. The token of the server has all rights
        and is not in this list.
      </p>
      {error !== undefined && <Failure error={error} />}
      {revoke.error !== undefined && <Failure error={revoke.error} />}
      {value !== undefined && value.tokens.length > 0 && (
        <TokenTable
          tokens={value.tokens}
          onRevoke={(name) => void revoke.run(() => client.access.revokeToken({ name }))}
        />
      )}
      <TokenForm onCreated={reload} />
    </>
  );
}

interface TableProps {
  readonly tokens: readonly TokenInfo[];
  readonly onRevoke: (name: string) => void;
}

function TokenTable({ tokens, onRevoke }: TableProps): JSX.Element {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Tokens">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Rights</th>
            <th scope="col">Sees</th>
            <th scope="col">Last used</th>
            <th scope="col">Ends</th>
            <th scope="col">Revoke</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly token: TokenInfo;
  readonly onRevoke: (name: string) => void;
}

function TokenRow({ token, onRevoke }: RowProps): JSX.Element {
  const { name, rights, paths, last_used_at: used, ends_at: ends, is_replaced: isReplaced } = token;
  const hasEnded = ends !== null && Date.parse(ends) <= Date.now();
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{rights}</td>
      <td>
        {paths === null
          ? 'everything'
          : paths.map((uri) => (
              <div key={uri}>
                <bdi>{shownUri(uri)}</bdi>
              </div>
            ))}
      </td>
      <td>{used === null ? 'never' : <Age time={used} />}</td>
      <td>
        {ends === null ? 'never' : <Age time={ends} />}
        {isReplaced && ' (replaced)'}
      </td>
      <td>
        {!hasEnded && !isReplaced && (
          <ConfirmButton
            label="Revoke"
            action="Revoke the token"
            title={`Revoke ${name}?`}
            onConfirm={() => onRevoke(name)}
          >
            <p>Programs with this token lose their access at once.</p>
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
