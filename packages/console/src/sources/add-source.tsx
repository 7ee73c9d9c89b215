import type { AddRequest, EstimateResponse, ProbeResponse, SourceKinds } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { useLoaded } from '../use-loaded.js';
import { CheckResult } from './check-result.js';
import { configOf, fieldsOf } from './config-fields.js';
import { ConfigForm } from './config-form.js';
import { choicesOf, targetOf } from './kinds.js';
import { withRules, type FormRule } from './object-rules.js';
import { RulesForm } from './rules-form.js';

type RecognisedSource = SourceKinds['recognised'][number];

interface Checked {
  readonly request: Pick<AddRequest, 'target' | 'config'>;
  readonly probe: ProbeResponse;
  readonly estimate: EstimateResponse | null;
}

/** Asks for a source, checks it, shows the work of indexing it, and adds it. */
export function AddSource({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const client = useClient();
  const [scheme, setScheme] = useState('file');
  const [address, setAddress] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [rules, setRules] = useState<readonly FormRule[]>([]);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const kinds = useLoaded(
    (signal) => client.connectors.listSourceKinds({ body: {} }, { signal }),
    [],
  );
  const [pasted, setPasted] = useState<RecognisedSource | null>(null);
  const kind = useLoaded(
    (signal) => client.connectors.describeConnector({ scheme }, { signal }),
    [scheme],
  );
  const recognition = useAction();
  const check = useAction();
  const add = useAction();
  const fields = kind.value?.type === scheme ? fieldsOf(kind.value) : [];
  const choices = choicesOf(kinds.value ?? { kinds: [] });
  const recognise = (text: string): void =>
    void recognition.run(async () => {
      const { recognised } = await client.connectors.listSourceKinds({ body: { address: text } });
      setPasted(recognised.find((source) => source.scheme !== 'file') ?? null);
    });
  const use = ({ scheme: found, target, config }: RecognisedSource): void => {
    setScheme(found);
    setAddress(target);
    setValues(
      Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
    );
    setPasted(null);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void check.run(async () => {
      const config = withRules(configOf(fields, values), rules);
      const request = {
        target: targetOf(scheme, address),
        config: Object.keys(config).length === 0 ? null : config,
      };
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
    <form class="card add-source" onSubmit={submit} onInput={() => setChecked(null)}>
      <h2>Add a source</h2>
      <div class="field">
        <label for="kind">Kind of source</label>
        <select
          id="kind"
          value={scheme}
          onChange={(event) => {
            setScheme(event.currentTarget.value);
            setValues({});
          }}
        >
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="address">
          {scheme === 'file' ? 'Path' : (kind.value?.address ?? 'Address')}
        </label>
        <input
          id="address"
          required
          value={address}
          spellcheck={false}
          autocomplete="off"
          placeholder={scheme === 'file' ? '/home/me/notes' : `${scheme}://`}
          aria-describedby="address-help"
          onInput={(event) => setAddress(event.currentTarget.value)}
          onChange={(event) => recognise(event.currentTarget.value)}
        />
        {pasted !== null && pasted.scheme !== scheme && (
          <p class="help">
            This is the address of a source of the kind {pasted.name}.{' '}
            <button type="button" onClick={() => use(pasted)}>
              Use {pasted.name}
            </button>
          </p>
        )}
        <p id="address-help" class="soft help">
          {scheme === 'file' ? (
            'An absolute path on the server.'
          ) : (
            <>
              The part after <code>{scheme}://</code>, or any name if the settings have the address.
            </>
          )}
        </p>
      </div>
      <ConfigForm
        fields={fields}
        values={values}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
      />
      <details class="field">
        <summary>Rules</summary>
        <RulesForm
          rules={rules}
          onChange={(next) => {
            setRules(next);
            setChecked(null);
          }}
        />
      </details>
      {kind.error !== undefined && <Failure error={kind.error} />}
      <button type="submit" disabled={check.isRunning}>
        {check.isRunning ? 'Checking …' : 'Check'}
      </button>
      {check.error !== undefined && <Failure error={check.error} />}
      <div class="checked" role="status">
        {checked !== null && <CheckResult probe={checked.probe} estimate={checked.estimate} />}
      </div>
      {checked?.probe.ok === true && (
        <button
          type="button"
          class="primary"
          disabled={add.isRunning}
          onClick={() => addChecked(checked)}
        >
          Add and index
        </button>
      )}
      {add.error !== undefined && <Failure error={add.error} />}
      {warnings.length > 0 && <Added warnings={warnings} onContinue={onAdded} />}
    </form>
  );
}

interface AddedProps {
  readonly warnings: readonly string[];
  readonly onContinue: () => void;
}

/** The advice of the server on an added source. */
function Added({ warnings, onContinue }: AddedProps): JSX.Element {
  return (
    <div class="notice">
      <p>The source was added.</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <button type="button" onClick={onContinue}>
        Continue
      </button>
    </div>
  );
}
