import type { CreatedToken, CreateTokenRequest } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { shownUri } from '../parts/names.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { useLoaded } from '../use-loaded.js';
import { NewToken } from './new-token.js';

type Rights = NonNullable<CreateTokenRequest['rights']>;

const rightsLevels: readonly (readonly [Rights, string])[] = [
  ['read', 'search and read'],
  ['sync', 'also sync sources'],
  ['admin', 'everything'],
];
const dayS = 86_400;
const lifetimes = [
  ['', 'never'],
  [`${30 * dayS}`, 'in 30 days'],
  [`${90 * dayS}`, 'in 90 days'],
  [`${365 * dayS}`, 'in a year'],
] as const;

/** Creates a token, and shows it once. */
export function TokenForm({ onCreated }: { readonly onCreated: () => void }): JSX.Element {
  const client = useClient();
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>('read');
  const [paths, setPaths] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const { run, isRunning, error } = useAction(onCreated);
  const submit = (event: Event): void => {
    event.preventDefault();
    const visible = rights === 'admin' ? [] : linesOf(paths);
    const body = {
      name: name.trim(),
      rights,
      paths: visible.length === 0 ? null : visible,
      expires_in_s: lifetime === '' ? null : Number(lifetime),
    };
    setCreated(null);
    void run(async () => {
      setCreated(await client.access.createToken({ body }));
      setName('');
    });
  };
  return (
    <form class="card" onSubmit={submit}>
      <h3>Create a token</h3>
      <div class="field">
        <label for="token-name">Name</label>
        <input
          id="token-name"
          required
          spellcheck={false}
          autocomplete="off"
          placeholder="ada"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="token-rights">Rights</label>
        <select
          id="token-rights"
          value={rights}
          onChange={({ currentTarget: { value } }) =>
            setRights(rightsLevels.find(([level]) => level === value)?.[0] ?? 'read')
          }
        >
          {rightsLevels.map(([level, text]) => (
            <option key={level} value={level}>
              {level}: {text}
            </option>
          ))}
        </select>
      </div>
      {rights !== 'admin' && (
        <div class="field">
          <label for="token-paths">Sees only</label>
          <textarea
            id="token-paths"
            rows={2}
            spellcheck={false}
            placeholder="Everything"
            aria-describedby="token-paths-help"
            value={paths}
            onInput={(event) => setPaths(event.currentTarget.value)}
          />
          <p id="token-paths-help" class="soft help">
            Sources, folders or objects: one path or URI per line. Empty: everything.
          </p>
          <SourceChoice
            chosen={linesOf(paths)}
            onChoose={(path) => setPaths([...linesOf(paths), path].join('\n'))}
          />
        </div>
      )}
      <div class="field">
        <label for="token-lifetime">Ends</label>
        <select
          id="token-lifetime"
          value={lifetime}
          onChange={(event) => setLifetime(event.currentTarget.value)}
        >
          {lifetimes.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" disabled={isRunning}>
        Create
      </button>
      {error !== undefined && <Failure error={error} />}
      <NewToken created={created} />
    </form>
  );
}

interface SourceChoiceProps {
  readonly chosen: readonly string[];
  readonly onChoose: (path: string) => void;
}

/** Offers the sources that are not chosen yet. */
function SourceChoice({ chosen, onChoose }: SourceChoiceProps): JSX.Element | null {
  const client = useClient();
  const { value } = useLoaded((signal) => client.server.status({ signal }), []);
  const paths = (value?.connectors ?? []).map(({ root_uri: root }) =>
    root.startsWith('file:') ? shownUri(root) : root,
  );
  const others = paths.filter((path) => !chosen.includes(path));
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Add a source to what the token sees"
      value=""
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">Add a source …</option>
      {others.map((path) => (
        <option key={path}>{path}</option>
      ))}
    </select>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
