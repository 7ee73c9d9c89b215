import type { EstimateResponse } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { EstimatedContent } from './check-result.js';
import { rulesOf, withRules, type FormRule } from './object-rules.js';
import { RulesForm } from './rules-form.js';

interface Props {
  readonly root: string;
  /** The configuration of the source, in which secrets are hidden. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly onDone: () => void;
}

/** How the server shows secrets. */
const hidden = '***';

/** Changes the rules of a registered source, after a preview. */
export function SourceRules({ root, config, onDone }: Props): JSX.Element {
  const client = useClient();
  const [rules, setRules] = useState<readonly FormRule[]>(() => rulesOf(config));
  const [preview, setPreview] = useState<EstimateResponse | null>(null);
  const look = useAction();
  const save = useAction(onDone);
  const desired = withRules(config, rules);
  // The preview opens the source with this configuration, which then lacks its secrets.
  const canPreview = !JSON.stringify(desired).includes(hidden);
  const change = (next: readonly FormRule[]): void => {
    setRules(next);
    setPreview(null);
  };
  const estimate = async (): Promise<void> =>
    setPreview(
      await client.connectors.estimateConnector({ body: { target: root, config: desired } }),
    );
  const apply = async (): Promise<void> => {
    const sources = [{ target: root, config: desired }];
    const { changes } = await client.connectors.applySources({ body: { sources } });
    const problem = changes.find(({ error }) => error !== null);
    if (problem !== undefined) throw new Error(problem.detail ?? problem.error ?? '');
  };
  return (
    <>
      <RulesForm rules={rules} onChange={change} />
      <div class="buttons">
        {canPreview && (
          <button type="button" disabled={look.isRunning} onClick={() => void look.run(estimate)}>
            {look.isRunning ? 'Looking …' : 'Preview'}
          </button>
        )}
        <button
          type="button"
          class="primary"
          disabled={save.isRunning}
          onClick={() => void save.run(apply)}
        >
          Save and sync
        </button>
      </div>
      {[look.error, save.error].map(
        (error, index) => error !== undefined && <Failure key={index} error={error} />,
      )}
      <div class="checked" role="status">
        {preview !== null && <EstimatedContent estimate={preview} />}
      </div>
    </>
  );
}
