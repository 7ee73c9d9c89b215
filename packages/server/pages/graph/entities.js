import { at, button, counted, make } from './elements.js';
import { inWords } from './passages.js';

const SHOWN_FACTS = 30;
const SHOWN_NAMES = 200;

/** Says what the entity that was chosen is connected with; each name leads on. */
export function showEntity(entity, relations, { choose, openPassage }) {
  const facts = relations.slice(0, SHOWN_FACTS).map((relation) => {
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

/** What is in the picture, by name, as far as it is looked for: for whoever does not see it or cannot point. */
export function listEntities(entities, choose) {
  at('#entities summary').textContent = counted(entities.length, 'entity', 'entities');
  const wanted = at('#find').value.trim().toLowerCase();
  const items = entities
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, SHOWN_NAMES)
    .map(({ id, name }) =>
      make(
        'li',
        {},
        button(name, () => choose(id), { class: 'link', dir: 'auto' }),
      ),
    );
  at('#entities ul').replaceChildren(...items);
}
