import { at, button, counted, make } from './elements.js';
import { inWords } from './passages.js';

const maxFacts = 30;
const maxNames = 200;

/** Lists the relations of the selected entity. Each name is a link. */
export function showEntity(entity, relations, { choose, openPassage }) {
  const facts = relations.slice(0, maxFacts).map((relation) => {
    const [subject, object] = relation.entity_ids;
    const other = subject === entity.id ? object : subject;
    const name = subject === entity.id ? relation.object : relation.subject;
    const show = button(name, () => choose(other), { class: 'link', dir: 'auto' });
    const [before, predicate, after] = inWords(relation);
    const parts = subject === entity.id ? [before, predicate, show] : [show, predicate, after];
    return make('li', { dir: 'auto' }, ...parts);
  });
  const passages = entity.passage_ids.map((id, index) =>
    button(`${index + 1}`, () => openPassage(id), {
      class: 'cite',
      'aria-label': `Passage ${index + 1} that mentions it`,
    }),
  );
  const count = counted(relations.length, 'relation');
  at('#entity').replaceChildren(
    make('h3', { dir: 'auto' }, entity.name),
    make('p', { class: 'soft' }, `${count} here; in passages `, ...passages),
    make('ul', { class: 'facts' }, ...facts),
  );
  at('#entity').hidden = false;
}

/**
 * Lists the visible entities by name, filtered by the search field, for users who cannot see or click the
 * drawing.
 */
export function listEntities(entities, choose) {
  at('#entities summary').textContent = counted(entities.length, 'entity', 'entities');
  const searched = at('#find').value.trim().toLowerCase();
  const items = entities
    .filter(({ name }) => name.toLowerCase().includes(searched))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, maxNames)
    .map(({ id, name }) =>
      make(
        'li',
        {},
        button(name, () => choose(id), { class: 'link', dir: 'auto' }),
      ),
    );
  at('#entities ul').replaceChildren(...items);
}
