import type { JSX } from 'preact';
import type { ConfigField } from './config-fields.js';

interface Props {
  readonly fields: readonly ConfigField[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** The settings of a source. Those that few people need are folded. */
export function ConfigForm({ fields, values, onChange }: Props): JSX.Element {
  const common = fields.filter(({ isCommon }) => isCommon);
  const others = fields.filter(({ isCommon }) => !isCommon);
  const show = (field: ConfigField): JSX.Element => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      onChange={(value) => onChange(field.name, value)}
    />
  );
  return (
    <>
      {common.map(show)}
      {others.length > 0 && (
        <details class="field">
          <summary>More settings</summary>
          {others.map(show)}
        </details>
      )}
    </>
  );
}

interface FieldProps {
  readonly field: ConfigField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps): JSX.Element {
  const { name, label, isRequired } = field;
  const id = `setting-${name}`;
  const help = helpOf(field);
  return (
    <div class="field">
      <label for={id}>
        {label} {!isRequired && <span class="soft">(optional)</span>}
      </label>
      <Control
        field={field}
        value={value}
        onChange={onChange}
        id={id}
        describedBy={help === '' ? undefined : `${id}-help`}
      />
      {help !== '' && (
        <p id={`${id}-help`} class="soft help">
          {help}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends FieldProps {
  readonly id: string;
  readonly describedBy: string | undefined;
}

function Control({ field, value, onChange, id, describedBy }: ControlProps): JSX.Element {
  const { kind, isRequired, initial, choices } = field;
  const common = {
    id,
    value,
    required: isRequired,
    'aria-describedby': describedBy,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (kind === 'boolean' || kind === 'choice') {
    const options = kind === 'boolean' ? ['true', 'false'] : choices;
    return (
      <select {...common}>
        <option value="">{initial === null ? '' : `Default: ${initial}`}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'list' || kind === 'json') {
    return <textarea {...common} rows={3} spellcheck={false} placeholder={initial ?? ''} />;
  }
  const typed = {
    ...common,
    autocomplete: 'off',
    spellcheck: false,
    placeholder: initial ?? '',
  } as const;
  if (kind === 'number') return <input {...typed} type="number" step="any" />;
  if (kind === 'secret') return <input {...typed} type="password" />;
  return <input {...typed} type="text" />;
}

function helpOf({ kind, help }: ConfigField): string {
  const more = {
    secret: 'Enter env:NAME or file:/path to refer to the secret. Other text is stored as it is.',
    list: 'One value per line.',
    json: 'JSON.',
  };
  const own = kind === 'secret' || kind === 'list' || kind === 'json' ? more[kind] : '';
  return [help ?? '', own].filter(Boolean).join(' ');
}
