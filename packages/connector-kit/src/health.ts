import type { Health } from '@trove/core';

const maxNamesShown = 20;

/**
 * Reports configured names that do not exist in the database. Returns null if all exist. `noun` names the kind of thing in
 * the message.
 */
export function checkNames(
  database: string,
  noun: string,
  setting: string,
  configured: readonly string[],
  existing: readonly string[],
): Health | null {
  const missing = configured.filter((name) => !existing.includes(name));
  if (missing.length === 0) return null;
  const shown = existing.length === 0 ? `no ${noun}` : existing.slice(0, maxNamesShown).join(', ');
  return {
    ok: false,
    detail: `${database} has no ${noun} ${missing.join(', ')}. It has: ${shown}. Correct \`${setting}\` or remove it.`,
  };
}
