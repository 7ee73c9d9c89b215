import type { Token, Tokens } from 'marked';

/** Guards for the tokens of the parser, whose type also allows tokens of extensions. */
export function childrenOf(token: Token): readonly Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

export function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

export function targetOf(token: Token): string {
  return 'href' in token && typeof token.href === 'string' ? token.href : '';
}

export function levelOf(token: Token): number {
  return 'depth' in token && typeof token.depth === 'number' ? token.depth : 1;
}

export function languageOf(token: Token): string {
  const language = 'lang' in token && typeof token.lang === 'string' ? token.lang : '';
  return /^[\w+#-]+/u.exec(language)?.[0].toLowerCase() ?? '';
}

export function isList(token: Token): token is Tokens.List {
  return token.type === 'list' && 'items' in token;
}

export function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table' && 'rows' in token;
}
