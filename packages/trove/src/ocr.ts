import type { EngineOptions } from '@trove/engine';
import type { PluginConfigs, PluginPackages } from '@trove/runtime';
import { builtinPackages } from './builtin-packages.js';
import type { Settings } from './settings/schema.js';

type PluginOptions = Pick<
  EngineOptions,
  'pluginPackages' | 'pluginConfig' | 'builtinPackages' | 'requiredConverters'
>;

const ocrPackage = '@trove/converter-ocr';
const isOcrPackage = ([, name]: readonly [string, string | undefined]): boolean =>
  name === ocrPackage;
const allPackages = Object.entries(builtinPackages);
const ocrPackages: PluginPackages = Object.fromEntries(allPackages.filter(isOcrPackage));
const otherPackages: PluginPackages = Object.fromEntries(
  allPackages.filter((entry) => !isOcrPackage(entry)),
);

/**
 * Adds the OCR plugin if it is enabled. It is not part of the default installation, so it is resolved like
 * packages of the operator, which take precedence.
 */
export function addOcrPlugins(
  { enabled, languages }: Settings['ocr'],
  named: PluginPackages,
  configured: PluginConfigs,
): PluginOptions {
  if (!enabled) {
    return { pluginPackages: named, pluginConfig: configured, builtinPackages: otherPackages };
  }
  const pluginPackages = { ...ocrPackages, ...named };
  const ids = Object.entries(pluginPackages)
    .filter(isOcrPackage)
    .map(([id]) => id);
  return {
    pluginPackages,
    pluginConfig: { ...Object.fromEntries(ids.map((id) => [id, { languages }])), ...configured },
    builtinPackages,
    requiredConverters: ids.map((id) => id.slice(id.indexOf(':') + 1)),
  };
}
