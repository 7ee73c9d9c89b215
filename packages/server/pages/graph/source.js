import { at, button, make } from './elements.js';
import { placeOf } from './text.js';

/** Number of lines shown around a passage, and of lines added by each click. */
const contextLines = 30;
const moreLines = 200;
const maxLineChars = 2000;
const localPrefix = 'file://local/';

/** Returns the title of a passage. */
export function titleOf({ id, metadata: { title, source } }) {
  return [title, source, id].find(isText);
}

/** Returns the origin of a passage for people, or null if its metadata has none. */
export function sourceOf({ metadata: { source } }) {
  return isText(source) ? displayed(source) : null;
}

/** Shows a passage in its file, if the server has it. */
export async function showSource(passage, server) {
  const body = at('#source-body');
  at('#source-title').textContent = titleOf(passage);
  body.replaceChildren(make('p', { class: 'soft' }, 'Reading …'));
  at('#source').showModal();
  const content = await contentOf(passage, server).catch((error) => [
    make('p', { class: 'problem' }, error.message),
    ...asAdded(passage),
  ]);
  body.replaceChildren(...content);
  body.querySelector('.here')?.scrollIntoView({ block: 'center' });
}

async function contentOf(passage, server) {
  const { source, chunk_index: chunk, total_chunks: chunks } = passage.metadata;
  if (!isText(source)) return asAdded(passage);
  if (isWebPage(source)) {
    const link = make('a', { href: source, rel: 'noreferrer noopener', target: '_blank' }, source);
    return [make('p', {}, link), ...asAdded(passage)];
  }
  if (!source.startsWith('/') && !source.includes('://')) return asAdded(passage);
  const { content } = await server.call('cat', { query: { path: source } });
  const part = chunks > 1 ? `, part ${chunk + 1} of ${chunks}` : '';
  return inFile(`${displayed(source)}${part}`, content, placeOf(passage.text.trim(), content));
}

/** Only the passage in the graph can be shown. */
function asAdded({ text }) {
  return [make('blockquote', { dir: 'auto' }, text)];
}

function inFile(name, content, place) {
  const lines = content.split('\n');
  const first = place === null ? 0 : lineAt(content, place[0]);
  const last = place === null ? -1 : lineAt(content, place[1] - 1);
  const list = make('ol', { class: 'lines' });
  let [from, to] = [first, first];
  const show = (start, end) => {
    const [low, high] = [Math.max(0, start), Math.min(lines.length, end)];
    const items = lines
      .slice(low, high)
      .map((line, index) => lineItem(line, low + index, first, last));
    if (low < from) list.prepend(...items);
    else list.append(...items);
    [from, to] = [Math.min(from, low), Math.max(to, high)];
    earlier.hidden = from === 0;
    later.hidden = to === lines.length;
  };
  const earlier = button('Earlier lines', () => show(from - moreLines, from));
  const later = button('Later lines', () => show(to, to + moreLines));
  show(first, Math.max(first, last) + 1 + contextLines);
  show(from - contextLines, from);
  const where =
    place === null
      ? `${name}: the passage is not in it any more, or not in these words`
      : `${name}, ${first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`}`;
  return [make('p', { class: 'soft' }, where), earlier, list, later];
}

function lineItem(line, index, first, last) {
  const isHere = index >= first && index <= last;
  const text = line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars)}…`;
  return make('li', { value: index + 1, dir: 'auto', ...(isHere ? { class: 'here' } : {}) }, text);
}

/** Returns the zero-based line of an offset. */
function lineAt(content, place) {
  let line = 0;
  for (let end = content.indexOf('\n'); end >= 0 && end < place; line++) {
    end = content.indexOf('\n', end + 1);
  }
  return line;
}

function isWebPage(source) {
  return URL.canParse(source) && /^https?:$/.test(new URL(source).protocol);
}

function displayed(source) {
  if (!source.startsWith(localPrefix)) return source;
  try {
    return decodeURIComponent(source.slice(localPrefix.length - 1));
  } catch {
    return source.slice(localPrefix.length - 1);
  }
}

function isText(value) {
  return typeof value === 'string' && value !== '';
}
