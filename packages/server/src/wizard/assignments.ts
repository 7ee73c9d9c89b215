import { TroveError, type JsonSchema } from '@trove/core';
import { valueOf, type WizardConfig } from './ask-config.js';

/** Applies `key=value` and `key.inner=value` to a configuration. The schema determines the type of a value. */
export function applyAssignments(
  config: WizardConfig,
  assignments: readonly string[],
  schema: JsonSchema,
): WizardConfig {
  return assignments.reduce((result, assignment) => {
    const at = assignment.indexOf('=');
    if (at < 1) {
      throw new TroveError('config_invalid', '--set needs a name and a value: --set NAME=VALUE');
    }
    return assignValue(
      result,
      assignment.slice(0, at).split('.'),
      assignment.slice(at + 1),
      schema,
    );
  }, config);
}

function assignValue(
  config: WizardConfig,
  [key = '', ...deeper]: readonly string[],
  text: string,
  schema: JsonSchema,
): WizardConfig {
  const additional = schema.additionalProperties;
  const property =
    Object.entries(schema.properties ?? {}).find(([name]) => name === key)?.[1] ??
    (typeof additional === 'object' ? additional : {});
  if (deeper.length === 0) return { ...config, [key]: valueOf(text, property) };
  const inner = config[key];
  const table = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  return { ...config, [key]: assignValue(table, deeper, text, property) };
}
