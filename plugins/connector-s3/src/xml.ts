import { SaxesParser } from 'saxes';

const maxDepth = 20;
/** Whoever is told of an element is told its names from the root: a long one would be repeated for each that is in it. */
const maxNameChars = 100;

/** Told of each element of a document that holds nothing but text: its names from the root, and the text. */
export type OnText = (path: string, text: string) => void;

/**
 * Reads XML piece by piece; `onEnd` is told of each element that ends. Throws for what is not well formed, for entities that
 * XML itself does not define, and for a document type or a long name, which no store sends.
 */
export class XmlReader {
  readonly #parser = new SaxesParser({ position: false, xmlns: false });
  readonly #names: string[] = [];
  #text = '';

  constructor(onText: OnText, onEnd: (path: string) => void = () => undefined) {
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
    this.#parser.on('closetag', () => {
      const path = this.#names.join('/');
      onText(path, this.#text);
      onEnd(path);
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
