import type { Health } from '@trove/core';

const maxNamesShown = 20;

/** Reports configured names that do not exist in the database. Returns null if all exist. `what` is the noun in the message. */
export function checkNames(
  database: string,
  what: string,
  setting: string,
  wanted: readonly string[],
  there: readonly string[],
): Health | null {
  const missing = wanted.filter((name) => !there.includes(name));
  if (missing.length === 0) return null;
  const known = there.length === 0 ? `no ${what}` : there.slice(0, maxNamesShown).join(', ');
  return {
    ok: false,
    detail: `${database} has no ${what} ${missing.join(', ')}. It has: ${known}. Correct \`${setting}\` or remove it.`,
  };
}
