import { TroveError } from '@trove/core';
import type { Engine } from 'trove';
import type { Prompts } from './prompts.js';

type WizardConfig = Readonly<Record<string, unknown>>;
/** What an estimate found at the top of a source. */
export type EstimatedEntries = Awaited<ReturnType<Engine['estimate']>>['top_level'];

/** Asks which parts of a source are to be searched; the names of the others. */
export async function askExclusions(prompts: Prompts, found: EstimatedEntries): Promise<string[]> {
  const parts = found.filter(({ objects }) => objects > 0);
  if (parts.length < 2) return [];
  const names = parts.map(({ name }) => name);
  const choices = parts.map(({ name, is_folder: isFolder, objects }) => ({
    value: name,
    label: isFolder ? `${name}/` : name,
    ...(isFolder ? { hint: `${objects.toLocaleString('en')} objects` } : {}),
  }));
  const question = 'What of it is to be searched? (space selects, enter goes on)';
  const chosen = new Set(await prompts.several(question, choices, names));
  return names.filter((name) => !chosen.has(name));
}

/** A configuration whose first rules leave out the named parts. Throws `config_invalid` for one that is not there. */
export function addExclusions(
  config: WizardConfig,
  names: readonly string[],
  found: EstimatedEntries,
): WizardConfig {
  if (names.length === 0) return config;
  const known = found.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TroveError('config_invalid', `--without: the source has no ${unknown} at its top`, {
      suggestions: [`It has ${known.join(', ')}.`],
    });
  }
  const rules = names.map((name) => ({ match: `/${escapeGlob(name)}`, indexable: false }));
  const others = Array.isArray(config['objects']) ? config['objects'] : [];
  return { ...config, objects: [...rules, ...others] };
}

/** A name as a glob that fits nothing else. */
function escapeGlob(name: string): string {
  return name
    .replace(/[\\*?[\]{}!#]/g, '\\$&')
    .replace(/ +$/, (spaces) => spaces.replaceAll(' ', '\\ '));
}
