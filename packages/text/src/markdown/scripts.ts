const raised = signs('0123456789+-−=()n', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ');
const lowered = signs('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎');

/** Converts text to superscript or subscript characters. Undefined if a character has none. */
export function toScript(text: string, kind: 'superscript' | 'subscript'): string | undefined {
  const table = kind === 'superscript' ? raised : lowered;
  let written = '';
  for (const character of text) {
    const sign = table[character];
    if (sign === undefined) return undefined;
    written += sign;
  }
  return written;
}

function signs(plain: string, shifted: string): Record<string, string> {
  const targets = Array.from(shifted);
  return Object.fromEntries(Array.from(plain, (sign, index) => [sign, targets[index] ?? sign]));
}
