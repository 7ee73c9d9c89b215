import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeNotion } from './fake.js';
import type { NotionWorld } from './fake/world.js';
import { setAge, settingsFor, shortId, target } from './source.js';

const count = 6;
/** The first changes are newer than the overlap of syncs, and the last ones older than the time in which a page may change twice. */
const firstAgeMinutes = 9;
const stepMinutes = 2;

export const law: SyncLaw = {
  schemes: ['notion'],
  async start() {
    const fake = await startFakeNotion();
    const { world } = fake;
    let age = firstAgeMinutes;
    // Times are whole minutes, so each group of changes has its own.
    const nextAge = (): void => setAge(fake, (age -= stepMinutes));
    setAge(fake, age);
    const tasks = world.createDataSource('Tasks', { Note: 'rich_text' });
    const folder = `databases/Tasks ${shortId(tasks.id)}`;
    for (let number = 1; number <= count; number++) {
      const { id } = world.createPage({ title: `Page ${number}`, markdown: markedText() });
      world.comment(id, markedText());
      world.comment(id, markedText());
      world.createRow(tasks, {
        title: `Row ${number}`,
        markdown: markedText(),
        properties: { Note: { type: 'rich_text', value: markedText() } },
      });
    }
    return {
      target,
      config: settingsFor(fake),
      content: () => {
        const shown = [...world.pages.values()].filter(({ inTrash }) => !inTrash);
        const ids = new Set(shown.map(({ id }) => id));
        const rows = shown.filter(({ parent }) => parent.type === 'data_source_id');
        return {
          comments: marksIn([...world.comments.values()].filter(({ pageId }) => ids.has(pageId))),
          [`${folder}/rows`]: marksIn(rows.map(({ properties }) => properties)),
          ...Object.fromEntries(
            shown.map((page) => [
              `${rows.includes(page) ? folder : 'pages'}/${page.title} ${shortId(page.id)}.md`,
              marksIn(page.markdown),
            ]),
          ),
        };
      },
      changeAll: () => {
        nextAge();
        changeAll(world);
      },
      removeThird: () => {
        nextAge();
        for (const { id, pageId } of everyThird(world.comments.values())) {
          world.comments.delete(id);
          // A comment alone does not change its page. Without new content, the index keeps the time of a page.
          world.editPage(pageId, { markdown: nextEdition(world.page(pageId).markdown) });
        }
        for (const id of everyThird(world.pages.keys())) world.trash(id);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function changeAll(world: NotionWorld): void {
  for (const comment of world.comments.values())
    world.comments.set(comment.id, {
      ...comment,
      text: nextEdition(comment.text),
      editedAt: world.now,
    });
  for (const { id, markdown, properties } of world.pages.values()) {
    const { Note: note } = properties;
    const changed =
      note?.type === 'rich_text'
        ? { properties: { Note: { ...note, value: nextEdition(note.value) } } }
        : {};
    world.editPage(id, { markdown: nextEdition(markdown), ...changed });
  }
}
