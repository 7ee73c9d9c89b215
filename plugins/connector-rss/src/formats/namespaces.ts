import { FeedFormatError } from '../feed.js';

/** Prefixes of namespaces, without regard to the case and the final character of their addresses. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns', 'atom'],
  ['http://www.w3.org/1999/xhtml', 'xhtml'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns', 'rdf'],
  ['http://purl.org/rss/1.0', ''],
  ['http://my.netscape.com/rdf/simple/0.9', ''],
  ['http://channel.netscape.com/rdf/simple/0.9', ''],
  ['http://backend.userland.com/rss2', ''],
  ['http://blogs.law.harvard.edu/tech/rss', ''],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/dc/elements/1.0', 'dc'],
  ['http://purl.org/dc/elements/1.1', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://search.yahoo.com/mrss', 'media'],
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
]);

/** Every element with declarations copies those in scope. */
const maxDeclarations = 1000;

/** The namespaces in scope, by the prefixes of the document. */
export type NamespaceScope = ReadonlyMap<string, string>;

/** Returns the scope inside an element. */
export function scopeInside(
  scope: NamespaceScope,
  attributes: Readonly<Record<string, string>>,
): NamespaceScope {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/.test(name));
  if (declared.length === 0) return scope;
  if (scope.size + declared.length > maxDeclarations)
    throw new FeedFormatError('it declares too many namespaces');
  return new Map([...scope, ...declared.map(([name, uri]) => [name.slice(6), uri] as const)]);
}

/** Returns the local name of an element and its name with the usual prefix. */
export function resolveName(
  qualified: string,
  scope: NamespaceScope,
): { readonly name: string; readonly localName: string } {
  const colon = qualified.indexOf(':');
  const prefix = colon === -1 ? '' : qualified.slice(0, colon);
  const localName = qualified.slice(colon + 1);
  const uri = scope.get(prefix)?.toLowerCase().replace(/[/#]$/, '');
  // Many feeds use the usual prefixes without a declaration.
  const usual = (uri === undefined ? undefined : prefixes.get(uri)) ?? prefix.toLowerCase();
  return { name: usual === '' ? localName : `${usual}:${localName}`, localName };
}
