import { SaxesParser } from 'saxes';

const maxDepth = 20;
/** Limit for names of elements, because callbacks get the names of all parent elements. */
const maxNameChars = 100;

/** Receives each element with its names from the root, separated by `/`, its text and its attributes. */
export type OnText = (
  path: string,
  text: string,
  attributes: Readonly<Record<string, string>>,
) => void;

/**
 * Reads XML in pieces. Throws for malformed XML, for entities that XML does not define, and for document types and long
 * names, which no storage service sends.
 */
export class XmlReader {
  readonly #parser = new SaxesParser({ position: false, xmlns: false });
  readonly #names: string[] = [];
  #text = '';

  constructor(onText: OnText) {
    this.#parser.on('error', (error) => {
      throw error;
    });
    this.#parser.on('doctype', () => {
      throw new Error('it has a document type');
    });
    this.#parser.on('opentag', ({ name }) => {
      if (this.#names.push(name.slice(name.indexOf(':') + 1)) > maxDepth)
        throw new Error('it is nested too deeply');
      if (name.length > maxNameChars) throw new Error('the name of an element is too long');
      this.#text = '';
    });
    const add = (text: string): void => void (this.#text += text);
    this.#parser.on('text', add);
    this.#parser.on('cdata', add);
    this.#parser.on('closetag', ({ attributes }) => {
      onText(this.#names.join('/'), this.#text, attributes);
      this.#names.pop();
      this.#text = '';
    });
  }

  write(piece: string): void {
    this.#parser.write(piece);
  }

  close(): void {
    this.#parser.close();
  }
}
