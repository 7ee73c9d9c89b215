import { setImmediate as immediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

import { FeedFormatError } from '../feed.js';
import type { FeedElement } from './element.js';
import { resolveName, scopeInside, type NamespaceScope } from './namespaces.js';

/** Characters parsed in one turn. */
const charsPerTurn = 64 * 1024;
const maxDepth = 300;
const maxElements = 2_000_000;
const maxBaseChars = 2000;

const atomUri = 'http://www.w3.org/2005/Atom';

interface OpenElement {
  readonly element: FeedElement;
  readonly scope: NamespaceScope;
}

/**
 * Parses XML into its root element, also if it is not well-formed. Ignores document types, so entities that a document
 * defines stay unresolved. Throws `FeedFormatError` without an element, and for deeply nested or too many elements.
 */
export async function parseXml(xml: string, address: string): Promise<FeedElement> {
  const builder = new ElementBuilder(address);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => builder.open(name, attributes),
      ontext: (text) => builder.text(text),
      onclosetag: () => builder.close(),
    },
    { xmlMode: true },
  );
  for (let at = 0; at < xml.length; at += charsPerTurn) {
    if (at > 0) await immediate();
    parser.write(xml.slice(at, at + charsPerTurn));
  }
  parser.end();
  if (builder.root === null) throw new FeedFormatError('it has no elements');
  return builder.root;
}

class ElementBuilder {
  root: FeedElement | null = null;
  readonly #address: string;
  readonly #open: OpenElement[] = [];
  #count = 0;

  constructor(address: string) {
    this.#address = address;
  }

  open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#count > maxElements) throw new FeedFormatError('it has too many elements');
    if (this.#open.length >= maxDepth) throw new FeedFormatError('it is nested too deeply');
    const parent = this.#open.at(-1);
    const outer = parent?.scope ?? rootScope(qualified);
    const scope = scopeInside(outer, attributes);
    const base = baseInside(parent?.element.base ?? this.#address, attributes['xml:base']);
    const names = resolveName(qualified, scope);
    const element: FeedElement = { ...names, attributes, base, children: [] };
    if (parent === undefined) this.root ??= element;
    else parent.element.children.push(element);
    this.#open.push({ element, scope });
  }

  text(text: string): void {
    this.#open.at(-1)?.element.children.push(text);
  }

  close(): void {
    this.#open.pop();
  }
}

/** A root `feed` without a namespace is Atom. */
function rootScope(name: string): NamespaceScope {
  return new Map(name === 'feed' ? [['', atomUri]] : []);
}

/** Ignores long addresses, because every element inside may have another one. */
function baseInside(base: string, own: string | undefined): string {
  if (own === undefined || own.length > maxBaseChars || !URL.canParse(own, base)) return base;
  const { href } = new URL(own, base);
  return href.length > maxBaseChars ? base : href;
}
