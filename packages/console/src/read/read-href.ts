import { linesOf, type PartLocator } from '../parts/locators.js';
import { hrefOf } from '../route.js';

/** Returns the address of an object or folder on the page Read. */
export function readHref(path: string, locator: PartLocator = null): string {
  const lines = linesOf(locator);
  if (lines !== null) return hrefOf('read', { path, lines: lines.join(':') });
  return hrefOf('read', { path, locator: locator === null ? undefined : JSON.stringify(locator) });
}
