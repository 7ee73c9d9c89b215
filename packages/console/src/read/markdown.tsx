import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { placeOf } from '../parts/citations.js';
import { QuotedText } from '../parts/marked-text.js';
import { safeLink } from '../parts/names.js';
import { tokenize } from './syntax.js';
import { useShownPlace } from './use-shown-place.js';

interface Props {
  readonly text: string;
  /** The number of the first line. */
  readonly from: number;
  /** The lines to point out. */
  readonly lines: readonly [number, number] | null;
  /** Returns the address of a relative link, or null if it leads nowhere. */
  readonly linkTo: (href: string) => string | null;
  /** Sentences to mark. */
  readonly quoted?: readonly string[];
}

/** How links and quoted sentences are rendered. */
interface InlineRules {
  readonly linkTo: Props['linkTo'];
  readonly quoted: readonly string[];
}

/** Renders Markdown as elements. HTML in it becomes its text. */
export function Markdown({ text, from, lines, linkTo, quoted = [] }: Props): JSX.Element {
  const blocks = useMemo(() => blocksOf(text, from), [text, from]);
  const box = useRef<HTMLDivElement>(null);
  useShownPlace(box, `${text.length} ${lines?.join() ?? ''}`);
  return (
    <div class="markdown" dir="auto" ref={box}>
      {blocks.map(({ token, first, last }) => {
        const isNamed = lines !== null && first <= lines[1] && last >= lines[0];
        const isHere = isNamed || quoted.some((sentence) => isSplit(sentence, token));
        return (
          <div key={first} class={isHere ? 'here' : undefined}>
            <Block token={token} rules={{ linkTo, quoted }} />
          </div>
        );
      })}
    </div>
  );
}

interface MarkdownBlock {
  readonly token: Token;
  readonly first: number;
  readonly last: number;
}

/** Returns the blocks of a text with their lines. */
function blocksOf(text: string, from: number): MarkdownBlock[] {
  let line = from;
  return lexer(text).flatMap((token) => {
    const first = line;
    line += token.raw.split('\n').length - 1;
    const isEmpty = token.type === 'space' || token.type === 'def';
    return isEmpty ? [] : [{ token, first, last: token.raw.endsWith('\n') ? line - 1 : line }];
  });
}

function Block({
  token,
  rules,
}: {
  readonly token: Token;
  readonly rules: InlineRules;
}): JSX.Element {
  const inner = (): ComponentChildren => inline(childrenOf(token), rules);
  switch (token.type) {
    case 'heading': {
      // The page has the only heading of the first level.
      const Level =
        (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[Math.min(depthOf(token), 5) - 1] ?? 'h6';
      return <Level>{inner()}</Level>;
    }
    case 'paragraph':
    case 'text':
      return <p>{inner()}</p>;
    case 'blockquote':
      return <blockquote>{renderBlocks(childrenOf(token), rules)}</blockquote>;
    case 'list':
      return isList(token) ? <List list={token} rules={rules} /> : <p>{token.raw}</p>;
    case 'code':
      return <CodeBlock text={textOf(token)} language={languageOf(token)} />;
    case 'table':
      return isTable(token) ? <Table table={token} rules={rules} /> : <p>{token.raw}</p>;
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{textOfHtml(token.raw)}</p>;
    default:
      return <p>{token.raw}</p>;
  }
}

function renderBlocks(tokens: readonly Token[], rules: InlineRules): ComponentChildren {
  return tokens
    .filter(({ type }) => type !== 'space')
    .map((token, index) => <Block key={index} token={token} rules={rules} />);
}

function List({
  list,
  rules,
}: {
  readonly list: Tokens.List;
  readonly rules: InlineRules;
}): JSX.Element {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task && <span aria-hidden="true">{item.checked === true ? '☑ ' : '☐ '}</span>}
      {item.tokens.map((token, place) =>
        token.type === 'text' || token.type === 'checkbox' ? (
          <span key={place}>{token.type === 'text' && inline(childrenOf(token), rules)}</span>
        ) : (
          token.type !== 'space' && <Block key={place} token={token} rules={rules} />
        ),
      )}
    </li>
  ));
  return list.ordered ? (
    <ol start={typeof list.start === 'number' ? list.start : 1}>{items}</ol>
  ) : (
    <ul>{items}</ul>
  );
}

interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
}

function CodeBlock({ text: code, language }: CodeBlockProps): JSX.Element {
  return (
    <pre class="code-block" tabIndex={0}>
      <code>
        {tokenize(code, `.${language}`).map((tokens, index) => (
          <span key={index}>
            {tokens.map(({ text, kind }, place) =>
              kind === null ? (
                text
              ) : (
                <span key={place} class={`token-${kind}`}>
                  {text}
                </span>
              ),
            )}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}

function Table({
  table,
  rules,
}: {
  readonly table: Tokens.Table;
  readonly rules: InlineRules;
}): JSX.Element {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell.tokens, rules)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>{inline(cell.tokens, rules)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[], rules: InlineRules): ComponentChildren {
  return tokens.map((token, index) => {
    const inner = (): ComponentChildren => inline(childrenOf(token), rules);
    switch (token.type) {
      case 'strong':
        return <strong key={index}>{inner()}</strong>;
      case 'em':
        return <em key={index}>{inner()}</em>;
      case 'del':
        return <del key={index}>{inner()}</del>;
      case 'codespan':
        return <code key={index}>{textOf(token)}</code>;
      case 'br':
        return <br key={index} />;
      case 'link':
        return (
          <Link key={index} href={hrefOfToken(token)} rules={rules}>
            {inner()}
          </Link>
        );
      case 'image':
        return (
          <Link key={index} href={hrefOfToken(token)} rules={rules}>
            [image{textOf(token) === '' ? '' : `: ${textOf(token)}`}]
          </Link>
        );
      case 'html':
        return tagOf(token.raw, index);
      case 'text':
        return childrenOf(token).length > 0 ? (
          inner()
        ) : (
          <QuotedText key={index} text={withoutEntities(textOf(token))} quoted={rules.quoted} />
        );
      default:
        return (
          <QuotedText key={index} text={withoutEntities(textOf(token))} quoted={rules.quoted} />
        );
    }
  });
}

/** Tags of HTML in Markdown that only format. Others are shown as text. */
const formatting =
  /^<\/?(a|abbr|b|big|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6]|i|ins|kbd|li|ol|p|picture|q|s|samp|small|source|span|strong|sub|summary|sup|u|ul|var)\b/i;

function tagOf(tag: string, index: number): ComponentChildren {
  if (/^<br\b/i.test(tag)) return <br key={index} />;
  return formatting.test(tag) || tag.startsWith('<!--') ? null : tag;
}

interface LinkProps {
  readonly href: string;
  readonly rules: InlineRules;
  readonly children: ComponentChildren;
}

/** A link to a web page or to another object. Other links are plain text. */
function Link({ href, rules, children }: LinkProps): JSX.Element {
  const web = safeLink(href);
  if (web !== null) {
    return (
      <a href={web} rel="noreferrer noopener" target="_blank">
        {children}
      </a>
    );
  }
  const own = rules.linkTo(href);
  return own === null ? <span>{children}</span> : <a href={own}>{children}</a>;
}

/** Whether a block contains a sentence whose words differ in their format. */
function isSplit(sentence: string, token: Token): boolean {
  return placeOf(sentence, token.raw) !== null && !containsText(sentence, token);
}

function containsText(sentence: string, token: Token): boolean {
  const inner = childrenOf(token);
  return inner.length === 0
    ? placeOf(sentence, textOf(token)) !== null
    : inner.some((each) => containsText(sentence, each));
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list' && 'items' in token;
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table' && 'rows' in token;
}

function languageOf(token: Token): string {
  const language = 'lang' in token && typeof token.lang === 'string' ? token.lang : '';
  return /^[\w+-]+/.exec(language)?.[0] ?? '';
}

function childrenOf(token: Token): readonly Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function hrefOfToken(token: Token): string {
  return 'href' in token && typeof token.href === 'string' ? token.href : '';
}

function depthOf(token: Token): number {
  return 'depth' in token && typeof token.depth === 'number' ? token.depth : 1;
}

function withoutEntities(text: string): string {
  return /&#?\w{1,32};/.test(text) ? textOfHtml(text.replaceAll('<', '&lt;')) : text;
}

/** The parser neither runs scripts nor loads images. */
function textOfHtml(html: string): string {
  // White space before the body would be dropped.
  const { body } = new DOMParser().parseFromString(`<body>${html}`, 'text/html');
  for (const element of body.querySelectorAll('script, style')) element.remove();
  return body.textContent ?? '';
}
