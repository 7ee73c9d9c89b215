import type { JSX } from 'preact';
import { shownName } from '../parts/names.js';
import type { FormRule } from './object-rules.js';

interface Props {
  readonly rules: readonly FormRule[];
  readonly onChange: (rules: readonly FormRule[]) => void;
}

/** Chooses the objects to index by patterns of their paths. */
export function RulesForm({ rules, onChange }: Props): JSX.Element {
  const replace = (index: number, rule: FormRule): void => onChange(rules.with(index, rule));
  return (
    <fieldset class="rules">
      <legend>Which objects</legend>
      <p class="soft help">
        The first rule that matches an object applies. Objects without a rule are indexed. Patterns
        are as in <code>.gitignore</code>: <code>*.log</code>, <code>/drafts</code>,{' '}
        <code>data/**/raw</code>.
      </p>
      <ol>
        {rules.map((rule, index) => (
          <li key={index}>
            <select
              aria-label={`Effect of rule ${index + 1}`}
              value={rule.isIndexed ? 'index' : 'leave'}
              onChange={(event) =>
                replace(index, { ...rule, isIndexed: event.currentTarget.value === 'index' })
              }
            >
              <option value="leave">Leave out</option>
              <option value="index">Index</option>
            </select>
            <input
              aria-label={`Pattern of rule ${index + 1}`}
              placeholder="*.log"
              value={rule.match}
              maxLength={500}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => replace(index, { ...rule, match: event.currentTarget.value })}
            />
            <button
              type="button"
              class="small"
              aria-label={`Remove rule ${index + 1}`}
              onClick={() => onChange(rules.toSpliced(index, 1))}
            >
              Remove
            </button>
            {Object.keys(rule.others).length > 0 && (
              <code class="soft">{shownName(JSON.stringify(rule.others))}</code>
            )}
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="small"
        onClick={() => onChange([...rules, { match: '', isIndexed: false, others: {} }])}
      >
        Add a rule
      </button>
    </fieldset>
  );
}
