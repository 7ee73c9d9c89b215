import type { AddRequest, EstimateResponse, ProbeResponse } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { shownName, shownUri } from '../parts/names.js';
import { counted, shownNumber } from '../parts/numbers.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { parseConfig } from './config-text.js';

interface Checked {
  readonly request: Pick<AddRequest, 'target' | 'config'>;
  readonly probe: ProbeResponse;
  /** Null if the source cannot be reached. */
  readonly estimate: EstimateResponse | null;
}

/** Asks for a source, checks it, shows the work of indexing it, and adds it. */
export function AddSource({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const client = useClient();
  const [target, setTarget] = useState('');
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const check = useAction();
  const add = useAction();
  const change = (set: (value: string) => void, value: string): void => {
    set(value);
    setChecked(null);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void check.run(async () => {
      const request = { target: target.trim(), config: parseConfig(text) };
      const probe = await client.connectors.probeConnector({ body: request });
      const estimate = probe.ok
        ? await client.connectors.estimateConnector({ body: request })
        : null;
      setChecked({ request, probe, estimate });
    });
  };
  const addChecked = ({ request }: Checked): void =>
    void add.run(async () => {
      const response = await client.ingest.addSource({ body: request });
      setWarnings(response.warnings);
      if (response.warnings.length === 0) onAdded();
    });
  return (
    <form class="card add-source" onSubmit={submit}>
      <h2>Add a source</h2>
      <div class="field">
        <label for="target">Path or address</label>
        <input
          id="target"
          required
          value={target}
          spellcheck={false}
          autocomplete="off"
          placeholder="/home/me/notes"
          aria-describedby="target-help"
          onInput={(event) => change(setTarget, event.currentTarget.value)}
        />
        <p id="target-help" class="soft help">
          An absolute path on the server, or an address such as <code>postgres://shop</code> or{' '}
          <code>web://docs</code>.
        </p>
      </div>
      <details class="field">
        <summary>Configuration</summary>
        <label for="config">Settings of the source, one per line</label>
        <textarea
          id="config"
          rows={4}
          value={text}
          spellcheck={false}
          aria-describedby="config-help"
          placeholder={'dsn = env:DATABASE_URL'}
          onInput={(event) => change(setText, event.currentTarget.value)}
        />
        <p id="config-help" class="soft help">
          A value is text or JSON. Refer to a secret with <code>env:NAME</code> or{' '}
          <code>file:/path</code>.
        </p>
      </details>
      <button type="submit" disabled={check.isRunning}>
        {check.isRunning ? 'Checking …' : 'Check'}
      </button>
      {check.error !== undefined && <Failure error={check.error} />}
      {checked !== null && (
        <div class="checked" role="status">
          <CheckResult checked={checked} />
          {checked.probe.ok && (
            <button
              type="button"
              class="primary"
              disabled={add.isRunning}
              onClick={() => addChecked(checked)}
            >
              Add and index
            </button>
          )}
        </div>
      )}
      {add.error !== undefined && <Failure error={add.error} />}
      {warnings.length > 0 && (
        <div class="notice">
          <p>The source was added.</p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
          <button type="button" onClick={onAdded}>
            Continue
          </button>
        </div>
      )}
    </form>
  );
}

function CheckResult({ checked: { probe, estimate } }: { readonly checked: Checked }): JSX.Element {
  return (
    <>
      <p>
        <span class={`badge ${probe.ok ? 'good' : 'bad'}`}>
          {probe.ok ? 'can be reached' : 'cannot be reached'}
        </span>{' '}
        <bdi>{shownUri(probe.target)}</bdi>: {shownName(probe.detail)}
      </p>
      {estimate !== null && (
        <>
          <p>
            About {counted(estimate.objects, 'object')}, {counted(estimate.est_chunks, 'passage')}{' '}
            and {counted(estimate.est_tokens, 'token')} to embed
            {!estimate.complete && ', in the part that could be listed in time'}.
          </p>
          <details>
            <summary>What would be indexed</summary>
            <ul class="top-level">
              {estimate.top_level.map(({ name, is_folder: isFolder, objects }) => (
                <li key={name}>
                  <bdi>{`${shownName(name)}${isFolder ? '/' : ''}`}</bdi>{' '}
                  <span class="soft">{shownNumber(objects)}</span>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </>
  );
}
