import { wrapped } from '../names.js';

const maxWidth = 96;
const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Converts `addSource` to `add_source`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

/** Returns a name that is valid in Python. */
export function identifier(name: string): string {
  const plain = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
  return keywords.has(plain) ? `${plain}_` : plain;
}

export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Returns a docstring with indented lines, or nothing without a text. */
export function docstring(text: string | undefined, indent: number): string {
  if (text === undefined || text.trim() === '') return '';
  const safe = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const lines = safe.split('\n').flatMap((paragraph) => {
    const [first = '', ...others] = wrapped(paragraph, maxWidth - indent);
    const hanging = paragraph.startsWith(':param') ? '    ' : '';
    return [first, ...others.map((line) => hanging + line)];
  });
  const pad = ' '.repeat(indent);
  const [first = '', ...others] = lines;
  if (others.length === 0) return `${pad}"""${first.replace(/"$/, '\\"')}"""\n`;
  const rest = others.map((line) => (line === '' ? '' : `${pad}${line}`));
  return [`${pad}"""${first}`, ...rest, `${pad}"""`].join('\n') + '\n';
}
