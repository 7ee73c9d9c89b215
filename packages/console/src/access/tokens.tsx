import { TroveApiError, type CreatedToken, type TokenInfo } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Age } from '../parts/age.js';
import { ConfirmButton } from '../parts/confirm-button.js';
import { Failure } from '../parts/failure.js';
import { shownUri } from '../parts/names.js';
import { useClient, useSession } from '../session-context.js';
import { useAction } from '../use-action.js';
import { useLoaded } from '../use-loaded.js';
import { NewToken } from './new-token.js';
import { RotateToken } from './rotate-token.js';
import { TokenForm } from './token-form.js';

/** The tokens of people, programs and agents, for administrators. */
export function Tokens(): JSX.Element {
  const session = useSession();
  const client = useClient();
  const { value, error, reload } = useLoaded((signal) => client.access.listTokens({ signal }), []);
  const [rotated, setRotated] = useState<CreatedToken | null>(null);
  const rotation = useAction(reload);
  const revocation = useAction(reload);
  const rotate = ({ id, name }: TokenInfo, overlapS: number): void => {
    setRotated(null);
    void rotation.run(async () => {
      const created = await client.access.rotateToken({ name, body: { overlap_s: overlapS } });
      session.replaceToken(id, created.token);
      setRotated(created);
    });
  };
  if (error instanceof TroveApiError && error.code === 'forbidden')
    return <p class="soft">Only a token with the right “admin” can list and create tokens.</p>;
  return (
    <>
      <p>
        Give each person, program and agent a separate token. The token of the server has all rights
        and is not in this list.
      </p>
      {error !== undefined && <Failure error={error} />}
      {rotation.error !== undefined && <Failure error={rotation.error} />}
      {revocation.error !== undefined && <Failure error={revocation.error} />}
      <NewToken created={rotated} />
      {value !== undefined && value.tokens.length > 0 && (
        <TokenTable
          tokens={value.tokens}
          onRotate={rotate}
          onRevoke={(name) => void revocation.run(() => client.access.revokeToken({ name }))}
        />
      )}
      <TokenForm onCreated={reload} />
    </>
  );
}

interface TokenActions {
  /** `overlapS`: seconds until the replaced token ends. */
  readonly onRotate: (token: TokenInfo, overlapS: number) => void;
  readonly onRevoke: (name: string) => void;
}

interface TableProps extends TokenActions {
  readonly tokens: readonly TokenInfo[];
}

function TokenTable({ tokens, ...actions }: TableProps): JSX.Element {
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
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} {...actions} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends TokenActions {
  readonly token: TokenInfo;
}

function TokenRow({ token, onRotate, onRevoke }: RowProps): JSX.Element {
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
          <div class="buttons">
            <RotateToken name={name} onRotate={(overlapS) => onRotate(token, overlapS)} />
            <ConfirmButton
              label="Revoke"
              action="Revoke the token"
              title={`Revoke ${name}?`}
              onConfirm={() => onRevoke(name)}
            >
              <p>Programs with this token lose their access at once.</p>
            </ConfirmButton>
          </div>
        )}
      </td>
    </tr>
  );
}
