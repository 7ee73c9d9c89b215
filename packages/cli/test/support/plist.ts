import { SaxesParser } from 'saxes';

type PlistValue = string | number | boolean | PlistValue[] | { [key: string]: PlistValue };

/** An element that is open while its content is read. */
interface OpenElement {
  readonly name: string;
  text: string;
  readonly values: PlistValue[];
}

/** Parses a property list. Throws for XML that is not well-formed, and for other elements than those of Apple's DTD. */
export function parsePlist(xml: string): PlistValue {
  const parser = new SaxesParser();
  const open: OpenElement[] = [{ name: '', text: '', values: [] }];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => open.push({ name, text: '', values: [] }));
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) open.at(-1)?.values.push(valueOf(element));
  });
  parser.write(xml).close();
  const [value] = open[0]?.values ?? [];
  if (value === undefined) throw new Error('The property list is empty');
  return value;
}

function valueOf({ name, text, values }: OpenElement): PlistValue {
  if (name === 'key' || name === 'string') return text;
  if (text.trim() !== '' && name !== 'integer') throw new Error(`<${name}> contains text`);
  if (name === 'integer' && /^\d+$/.test(text)) return Number(text);
  if (name === 'true' || name === 'false') return name === 'true';
  if (name === 'array') return values;
  if (name === 'dict') return dictionaryOf(values);
  const [value] = values;
  if (name === 'plist' && values.length === 1 && value !== undefined) return value;
  throw new Error(`<${name}> is not an element of a property list, or has wrong content`);
}

/** Keys and values alternate. */
function dictionaryOf(values: readonly PlistValue[]): Record<string, PlistValue> {
  const pairs: [string, PlistValue][] = [];
  for (let at = 0; at < values.length; at += 2) {
    const [key, value] = values.slice(at, at + 2);
    if (typeof key !== 'string' || value === undefined)
      throw new Error('A <dict> lacks a key or a value');
    pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}
