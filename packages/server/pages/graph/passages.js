import { at, button, make } from './elements.js';
import { sourceOf, titleOf } from './source.js';
import { citedParts, markedPieces, quotations } from './text.js';

const foundBy = {
  lexical: 'its terms',
  anchor: 'a name in the question',
  fact: 'a relation in it',
  bridge: 'an entity of another passage',
  dense: 'its meaning',
};
const maxFacts = 5;

/** Shows an answer. Its citations link to the passages below. */
export function showAnswer({ answer, retrieved_passages: passages, stats }) {
  const parts = citedParts(answer, passages).map((part) =>
    typeof part === 'string' ? part : citation(part),
  );
  at('#answer-text').replaceChildren(...parts);
  const { num_passages_retrieved: looked, total_time_ms: took } = stats;
  at('#cost').textContent = `${looked.toLocaleString('en')} passages looked at, ${took} ms`;
  at('#answer').hidden = false;
}

function citation(index) {
  const show = () => {
    const passage = at(`#passage-${index + 1}`);
    passage.scrollIntoView({ block: 'nearest' });
    passage.focus();
  };
  return button(`${index + 1}`, show, { class: 'cite', 'aria-label': `Passage ${index + 1}` });
}

/** Shows the passages of an answer with the relations that each states. */
export function showPassages({ answer, retrieved_passages: passages, subgraph }, { open, point }) {
  const items = passages.map((passage, index) => {
    const facts = subgraph.relations.filter(({ passage_ids: ids }) => ids.includes(passage.id));
    return make(
      'li',
      { id: `passage-${index + 1}`, tabindex: '-1' },
      make('h3', { dir: 'auto' }, titleOf(passage)),
      make('p', { class: 'soft' }, sourceOf(passage) ?? passage.id),
      make(
        'p',
        { class: 'soft' },
        `Found by ${foundBy[passage.via]} · ${passage.score.toFixed(2)}`,
      ),
      textOf(passage, quotations(answer, passage)),
      ...factList(facts),
      make(
        'p',
        { class: 'buttons' },
        ...(sourceOf(passage) === null ? [] : [button('Show in the file', () => open(passage))]),
        ...(facts.length === 0 ? [] : [button('Show in the drawing', () => point(passage.id))]),
      ),
    );
  });
  at('#passages ol').replaceChildren(...items);
  at('#passages').hidden = items.length === 0;
}

/** Folds long passages that contain no quotation. */
function textOf({ text }, quoted) {
  const pieces = markedPieces(text, quoted).map(({ text: piece, isMarked }) =>
    isMarked ? make('mark', {}, piece) : piece,
  );
  const body = make('blockquote', { dir: 'auto' }, ...pieces);
  const isShort = text.length <= 400 && text.split('\n').length <= 6;
  if (isShort || pieces.length > 1) return body;
  body.classList.add('folded');
  const more = button('Show all', () => {
    const isFolded = body.classList.toggle('folded');
    more.textContent = isFolded ? 'Show all' : 'Show less';
    more.setAttribute('aria-expanded', `${!isFolded}`);
  });
  more.setAttribute('aria-expanded', 'false');
  more.classList.add('link');
  return make('div', {}, body, more);
}

function factList(facts) {
  if (facts.length === 0) return [];
  const items = facts
    .slice(0, maxFacts)
    .map((fact) => make('li', { dir: 'auto' }, ...inWords(fact)));
  return [make('ul', { class: 'facts', 'aria-label': 'Relations of the passage' }, ...items)];
}

export function inWords({ subject, predicate, object }) {
  return [subject, make('em', {}, ` ${predicate} `), object];
}
