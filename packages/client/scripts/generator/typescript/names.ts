import { wrapped } from '../names.js';

const maxWidth = 96;
const identifierPattern = /^[A-Za-z_$][\w$]*$/;

export function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

/** Returns a property name in TypeScript. */
export function propertyKey(name: string): string {
  return identifierPattern.test(name) ? name : `'${name.replace(/['\\]/g, '\\$&')}'`;
}

/** Returns the access to a property. */
export function access(object: string, name: string): string {
  return identifierPattern.test(name) ? `${object}.${name}` : `${object}[${propertyKey(name)}]`;
}

/** Returns a doc comment, or nothing without a text. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = wrapped(text.trim().replaceAll('*/', '*\\/'), maxWidth);
  return lines.length === 1
    ? `/** ${lines.join('')} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
