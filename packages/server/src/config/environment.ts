import type { JsonSchema } from '@trove/core';
import { settingKeys, type SettingKey } from 'trove';

const reserved = new Set(['TROVE_HOME', 'TROVE_SERVER_CONFIG', 'TROVE_API_TOKEN']);
const pluginPrefix = 'TROVE_PLUGINS_';

/** A setting that the environment gives. */
export interface Override {
  readonly variable: string;
  readonly section: string | null;
  readonly key: string;
  readonly value: unknown;
}

export interface Environment {
  readonly overrides: readonly Override[];
  /** Variables that look like settings of ours and are none. */
  readonly ignored: readonly string[];
}

/**
 * Reads `TROVE_<SECTION>_<KEY>`. Empty variables count as not set. Texts become the type of their setting; one that
 * cannot stays a text, for the check of the settings to refuse.
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const byVariable = new Map(settingKeys.map((setting) => [variableOf(setting), setting]));
  const overrides: Override[] = [];
  const ignored: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || text === '' || reserved.has(variable)) continue;
    const setting = byVariable.get(variable);
    if (setting !== undefined) {
      const { section, key, schema } = setting;
      overrides.push({ variable, section, key, value: coerce(text, schema) });
    } else if (variable.startsWith(pluginPrefix)) {
      const key = variable.slice(pluginPrefix.length).toLowerCase();
      overrides.push({ variable, section: 'plugins', key, value: text });
    } else if (isInSection(variable)) {
      ignored.push(variable);
    }
  }
  return { overrides: withApiToken(overrides, env), ignored };
}

function variableOf({ section, key }: SettingKey): string {
  return ['TROVE', ...(section === null ? [] : [section]), key].join('_').toUpperCase();
}

/** TROVE_API_TOKEN is the token of server and clients alike; it comes before any other. */
function withApiToken(overrides: readonly Override[], env: NodeJS.ProcessEnv): Override[] {
  const token = env['TROVE_API_TOKEN'];
  if (token === undefined || token === '') return [...overrides];
  const rest = overrides.filter(({ section, key }) => section !== null || key !== 'auth_token');
  return [...rest, { variable: 'TROVE_API_TOKEN', section: null, key: 'auth_token', value: token }];
}

function isInSection(variable: string): boolean {
  return settingKeys.some(
    ({ section }) => section !== null && variable.startsWith(`TROVE_${section.toUpperCase()}_`),
  );
}

function coerce(text: string, schema: JsonSchema): unknown {
  if (schema.anyOf !== undefined) return /^\d+$/.test(text) ? Number(text) : text;
  switch (schema.type) {
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'array':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    default:
      return text;
  }
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
