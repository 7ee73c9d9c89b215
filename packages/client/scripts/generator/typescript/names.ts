import { wrapped } from '../names.js';

const maxWidth = 96;
const identifierPattern = /^[A-Za-z_$][\w$]*$/;

export function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

/** A property's name as TypeScript writes it. */
export function propertyKey(name: string): string {
  return identifierPattern.test(name) ? name : `'${name.replace(/['\\]/g, '\\$&')}'`;
}

/** How a property is read. */
export function access(object: string, name: string): string {
  return identifierPattern.test(name) ? `${object}.${name}` : `${object}[${propertyKey(name)}]`;
}

/** A doc comment, or nothing without a text. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = wrapped(text.trim().replaceAll('*/', '*\\/'), maxWidth);
  return lines.length === 1
    ? `/** ${lines.join('')} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
