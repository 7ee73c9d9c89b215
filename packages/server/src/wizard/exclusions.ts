import { TroveError } from '@trove/core';
import type { Engine } from 'trove';
import type { Prompts } from './prompts.js';
import type { WizardConfig } from './ask-config.js';

/** The top-level entries of a source in an estimate. */
export type EstimatedEntries = Awaited<ReturnType<Engine['estimate']>>['top_level'];

/** Asks which top-level entries to index, and returns the others. */
export async function askExclusions(prompts: Prompts, found: EstimatedEntries): Promise<string[]> {
  const parts = found.filter(({ objects }) => objects > 0);
  if (parts.length < 2) return [];
  const names = parts.map(({ name }) => name);
  const choices = parts.map(({ name, is_folder: isFolder, objects }) => ({
    value: name,
    label: isFolder ? `${name}/` : name,
    ...(isFolder ? { hint: `${objects.toLocaleString('en')} objects` } : {}),
  }));
  const question = 'Which parts should be indexed? (space selects, enter continues)';
  const chosen = new Set(await prompts.several(question, choices, names));
  return names.filter((name) => !chosen.has(name));
}

/** Adds rules that exclude the named entries. Throws `config_invalid` for an unknown name. */
export function addExclusions(
  config: WizardConfig,
  names: readonly string[],
  found: EstimatedEntries,
): WizardConfig {
  if (names.length === 0) return config;
  const known = found.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TroveError(
      'config_invalid',
      `--exclude: the source has no top-level entry ${unknown}`,
      {
        suggestions: [`Use one of ${known.join(', ')}.`],
      },
    );
  }
  const rules = names.map((name) => ({ match: `/${escapeGlob(name)}`, indexable: false }));
  const others = Array.isArray(config['objects']) ? config['objects'] : [];
  return { ...config, objects: [...rules, ...others] };
}

/** Escapes a name for use as a glob. */
function escapeGlob(name: string): string {
  return name
    .replace(/[\\*?[\]{}!#]/g, '\\$&')
    .replace(/ +$/, (spaces) => spaces.replaceAll(' ', '\\ '));
}
