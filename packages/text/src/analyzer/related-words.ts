import { analyze } from './analyze.js';

/** Words that documentation uses for nearly the same. A word may be in several groups. */
const groups = [
  'change modify edit update replace rotate renew switch alter',
  'delete remove erase discard drop clear revoke purge',
  'create add make generate build register new',
  'start run launch begin boot execute',
  'stop end quit exit shutdown cancel abort terminate',
  'pause suspend interrupt',
  'show list display print view output',
  'limit maximum max restrict bound cap',
  'minimum min least',
  'allow permit enable accept grant support',
  'forbid refuse deny reject prohibit disallow',
  'disable deactivate off',
  'send post deliver submit transmit upload',
  'get fetch receive obtain retrieve read load',
  'find search locate discover look',
  'fix repair correct solve remedy resolve',
  'error failure fail problem fault issue',
  'fast quick speed performance efficient',
  'slow longer delay latency',
  'configure set setting option configuration setup',
  'store save keep persist write',
  'expire lifetime valid expiry',
  'wait timeout delay',
  'need require must necessary',
  'mask censor redact hide conceal',
  'lose lost missing drop',
  'copy duplicate clone backup',
  'move relocate transfer migrate',
  'connect link attach join',
  'password secret credential token key',
  'directory folder path',
  'choose select pick',
  'check verify test validate probe',
  'explain describe reason cause',
  'person people user member',
  'often frequent interval every',
  'own custom personal',
  'exclude ignore skip omit leave',
];

let related: ReadonlyMap<string, readonly string[]> | null = null;

/** Returns the terms of words with nearly the same meaning as the word of a term, as `analyze` returns terms. */
export function relatedTerms(term: string): readonly string[] {
  related ??= buildRelated();
  return related.get(term) ?? [];
}

function buildRelated(): Map<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const group of groups) {
    const terms = analyze(group);
    for (const term of terms) {
      const known = found.get(term) ?? new Set();
      for (const other of terms) if (other !== term) known.add(other);
      found.set(term, known);
    }
  }
  return new Map(Array.from(found, ([term, others]) => [term, [...others]]));
}
