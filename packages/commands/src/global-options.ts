import { type ArgumentDefs, optionNamed } from './definitions.js';

/** Moves global options behind the command: `--json status` becomes `status --json`. */
export function hoistGlobals(argv: readonly string[], globals: ArgumentDefs): string[] {
  const hoisted: string[] = [];
  let at = 0;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const def = optionNamed(word.split('=')[0] ?? '', globals);
    if (def === undefined || (def.type === 'boolean' && word.includes('='))) break;
    hoisted.push(word);
    const value = argv[at + 1];
    if (def.type === 'string' && !word.includes('=') && value !== undefined) {
      hoisted.push(value);
      at++;
    }
  }
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  return end === -1
    ? [...rest, ...hoisted]
    : [...rest.slice(0, end), ...hoisted, ...rest.slice(end)];
}
