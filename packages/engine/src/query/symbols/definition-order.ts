import { demotedReasonOfPath } from '../../content/demotion.js';
import type { FoundDefinition } from './definition-reader.js';
import type { SymbolName } from './symbol-name.js';

/** Paths of compiled and declared code, which repeats the definitions of other files. */
const derivedPath =
  /(?:^|\/)(?:dist|build|out|bundle|target|lib-cov)\/|\.(?:d\.[cm]?ts|pyi|min\.js)$/;
/** A declaration without a body. */
const declared = /;$/;

/**
 * Sorts definitions, best first: with the wanted container, not in tests or foreign code, with a body, functions and
 * types before values. Definitions in another case are used only if none has the exact case.
 */
export function orderDefinitions(
  definitions: readonly FoundDefinition[],
  wanted: SymbolName,
  mentionsName: (definition: FoundDefinition) => boolean,
): FoundDefinition[] {
  const exact = definitions.filter(mentionsName);
  const chosen = exact.length > 0 ? exact : definitions;
  const ranked = chosen.map((definition, at) => ({
    definition,
    at,
    ranks: ranksOf(definition, wanted),
  }));
  ranked.sort((a, b) => compare(a.ranks, b.ranks) || a.at - b.at);
  const isWanted = ({ ranks }: (typeof ranked)[number]): boolean => ranks[0] === 0;
  const inContainer = ranked.some(isWanted) ? ranked.filter(isWanted) : ranked;
  return inContainer.map(({ definition }) => definition);
}

function ranksOf(
  { path, signature, kind, container }: FoundDefinition,
  wanted: SymbolName,
): readonly number[] {
  const isValue = kind === 'constant' || kind === 'variable';
  const isCallable = kind === 'function' || kind === 'method';
  return [
    wanted.container === null || container === wanted.container ? 0 : 1,
    demotedReasonOfPath(path, '') === null ? 0 : 1,
    derivedPath.test(path) ? 1 : 0,
    isCallable && declared.test(signature) ? 1 : 0,
    isValue ? 1 : 0,
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) {
    const difference = rank - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
