import type { PluginKind } from '@trove/core';
import { findNearest } from '../validation.js';

/** A set of members by name. The value lists the members of an object, or is null for any other value. */
interface KnownMembers {
  readonly [name: string]: KnownMembers | null;
}

const base = { kind: null, apiVersion: null, keys: null, configSchema: null, create: null };
const worker = { workerModule: null };

const membersByKind: Readonly<Record<PluginKind, KnownMembers>> = {
  connector: {
    ...base,
    defaultAuthority: null,
    login: null,
    askConfig: null,
    setup: { address: { ask: null, initial: null, read: null }, questions: null },
    capabilities: {
      since: null,
      paths: null,
      threads: null,
      keysOnly: null,
      stableOrder: null,
      costlyListing: null,
      addresses: null,
      grep: { regex: null, ignoreCase: null, context: null, onlyMatching: null, paging: null },
    },
  },
  converter: { ...base, ...worker, timeoutMs: null },
  embedder: { ...base, ...worker },
  'metadata-store': { ...base, restore: null },
  'transformation-cache': base,
  'vector-index': base,
  'language-model': base,
  reranker: base,
};

/** Describes each member of a plugin that its contract does not have. The engine would ignore it. */
export function unknownMembers(kind: PluginKind, plugin: object): string[] {
  return findUnknown(membersByKind[kind], plugin, '');
}

function findUnknown(known: KnownMembers, given: object, prefix: string): string[] {
  return Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner === undefined) return [unknownMember(prefix, name, Object.keys(known))];
    if (inner === null || value === undefined) return [];
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? findUnknown(inner, value, `${prefix}${name}.`)
      : [`${prefix}${name} must be an object`];
  });
}

function unknownMember(prefix: string, name: string, known: readonly string[]): string {
  const near = findNearest(name, known);
  const path = `${prefix}${name}`.slice(0, 200);
  const advice =
    near === null ? 'Known members: '.concat(known.join(', ')) : `Did you mean ${prefix}${near}?`;
  return `${path} is not a member of the contract. ${advice}`;
}
