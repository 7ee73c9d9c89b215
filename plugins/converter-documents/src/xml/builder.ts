import type { TroveError } from '@trove/core';

import { tooComplex } from '../errors.js';
import type { XmlElement, XmlNode } from './element.js';

/** The maximum number of elements and texts within one element. */
const maxNodes = 500_000;
/** The maximum number of attributes within one element. Each element may have ten thousand. */
const maxAttributes = 2_000_000;

const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

/** Builds an element with its content. */
export class ElementBuilder {
  readonly #open: OpenElement[] = [];
  #nodes = 0;
  #attributes = 0;

  get growing(): boolean {
    return this.#open.length > 0;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const count = Object.keys(attributes).length;
    this.#attributes += count;
    if (this.#attributes > maxAttributes) throw tooManyPieces();
    const element = { name, attributes: count === 0 ? noAttributes : attributes, children: [] };
    this.#add(element);
    this.#open.push(element);
  }

  text(text: string): void {
    this.#add(text);
  }

  /** Returns the outermost element when it ends. */
  close(): XmlElement | undefined {
    const element = this.#open.pop();
    if (this.growing) return undefined;
    this.#nodes = 0;
    this.#attributes = 0;
    return element;
  }

  #add(node: XmlNode): void {
    this.#nodes++;
    if (this.#nodes > maxNodes) throw tooManyPieces();
    this.#open.at(-1)?.children.push(node);
  }
}

function tooManyPieces(): TroveError {
  return tooComplex('has a table or paragraph of too many pieces');
}
