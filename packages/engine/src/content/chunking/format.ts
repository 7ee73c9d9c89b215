import type { DocumentPart, ObjectKind } from '@trove/core';

/** Formats of text, each with its own reader. */
export type TextFormat =
  | 'markdown'
  | 'prose'
  | 'asciidoc'
  | 'code'
  | 'lisp'
  | 'sql'
  | 'shell'
  | 'json'
  | 'yaml'
  | 'csv'
  | 'rows'
  | 'ini';

const formatsByName: Readonly<Record<string, TextFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  rst: 'prose',
  restructuredtext: 'prose',
  txt: 'prose',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
  lisp: 'lisp',
  clj: 'lisp',
  cljs: 'lisp',
  clojure: 'lisp',
  scm: 'lisp',
  scheme: 'lisp',
  el: 'lisp',
  sql: 'sql',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  shellscript: 'shell',
  makefile: 'shell',
  mk: 'shell',
  json: 'json',
  json5: 'json',
  jsonc: 'json',
  geojson: 'json',
  ipynb: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'csv',
  'tab-separated-values': 'csv',
  jsonl: 'rows',
  ndjson: 'rows',
  log: 'rows',
  toml: 'ini',
  ini: 'ini',
  cfg: 'ini',
  properties: 'ini',
};

/** A text to chunk or outline, with the facts that determine its format. */
export interface ClassifiedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Path of the object, or ''. Only its file name is used. */
  readonly path: string;
  /** Parts that no chunk may span. Default: none. */
  readonly parts?: readonly DocumentPart[];
}

/** Returns the format, from the media type, then the file extension, then the kind. */
export function formatOf({ kind, mediaType, path }: ClassifiedText): TextFormat {
  return byMediaType(mediaType) ?? byName(path) ?? byKind(kind);
}

function byMediaType(mediaType: string | null): TextFormat | undefined {
  const subtype = mediaType?.toLowerCase().split(';', 1)[0]?.trim().split('/')[1];
  if (subtype === undefined) return undefined;
  const name = subtype.replace(/^(?:x-|vnd\.)+/, '');
  // `application/ld+json` is read as JSON.
  const suffix = /\+([a-z]+)$/.exec(name)?.[1];
  return formatNamed(name) ?? (suffix === undefined ? undefined : formatNamed(suffix));
}

function byName(path: string): TextFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return formatNamed(name.slice(name.lastIndexOf('.') + 1));
}

function byKind(kind: ObjectKind): TextFormat {
  if (kind === 'document') return 'markdown';
  return kind === 'code' ? 'code' : 'prose';
}

function formatNamed(name: string): TextFormat | undefined {
  return Object.hasOwn(formatsByName, name) ? formatsByName[name] : undefined;
}

/** Whether the first line of this format may be a title. */
export function isProse(format: TextFormat): boolean {
  return format === 'markdown' || format === 'prose' || format === 'asciidoc';
}

/** Whether texts of this format have headings or definitions. */
export function hasOutline(format: TextFormat): boolean {
  return (
    isProse(format) ||
    format === 'code' ||
    format === 'lisp' ||
    format === 'sql' ||
    format === 'shell'
  );
}
