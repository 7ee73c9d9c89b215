import type { Health } from '@trove/core';

const maxNamesShown = 20;

/** What to say when names in a configuration are of nothing that is there; null when all are. */
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
    detail: `${database} has no ${what} ${missing.join(', ')}: name some of those in it (${known}) in \`${setting}\`, or leave \`${setting}\` out.`,
  };
}
