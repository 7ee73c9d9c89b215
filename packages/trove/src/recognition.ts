import type { EngineOptions } from '@trove/engine';
import type { PluginConfig, PluginPackages } from '@trove/runtime';
import { builtinPackages } from './builtin-packages.js';
import type { Settings } from './settings/schema.js';

type PluginOptions = Pick<
  EngineOptions,
  'pluginPackages' | 'pluginConfig' | 'builtinPackages' | 'requiredConverters'
>;

const recogniser = '@trove/converter-ocr';
const isRecogniser = ([, name]: readonly [string, string | undefined]): boolean =>
  name === recogniser;
const all = Object.entries(builtinPackages);
const recognising: PluginPackages = Object.fromEntries(all.filter(isRecogniser));
const others: PluginPackages = Object.fromEntries(all.filter((entry) => !isRecogniser(entry)));

/**
 * Adds what recognises text in images, if the settings want it. It is no part of the default installation, so it is looked
 * for where operators install packages; what they name themselves takes precedence.
 */
export function withRecognition(
  { enabled, languages }: Settings['ocr'],
  named: PluginPackages,
  configured: PluginConfig,
): PluginOptions {
  if (!enabled) {
    return { pluginPackages: named, pluginConfig: configured, builtinPackages: others };
  }
  const pluginPackages = { ...recognising, ...named };
  const ids = Object.entries(pluginPackages)
    .filter(isRecogniser)
    .map(([id]) => id);
  return {
    pluginPackages,
    pluginConfig: { ...Object.fromEntries(ids.map((id) => [id, { languages }])), ...configured },
    builtinPackages,
    requiredConverters: ids.map((id) => id.slice(id.indexOf(':') + 1)),
  };
}
