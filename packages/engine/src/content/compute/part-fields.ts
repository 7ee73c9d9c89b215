import { linesOf, type DocumentPart, type FieldValue, type Locator } from '@trove/core';

/**
 * Returns a function that returns the page, slide or sheet of a document's chunk as a field. Locators must come in
 * ascending order. Named sheets are identified by name.
 */
export function partFields(
  parts: readonly DocumentPart[],
): (locator: Locator) => Readonly<Record<string, FieldValue>> {
  let next = 0;
  return (locator) => {
    const line = linesOf(locator)?.start ?? 0;
    while ((parts[next]?.line ?? Infinity) <= line) next++;
    const part = parts[next - 1];
    if (part === undefined) return {};
    const { kind, number, name } = part;
    return { [kind]: kind === 'sheet' ? (name ?? number) : number };
  };
}
