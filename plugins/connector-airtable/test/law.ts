import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeAirtable } from './fake.js';
import type { AirtableWorld } from './fake/world.js';
import { dayMinutes, setAge, settingsFor } from './source.js';

const count = 3;
/** A daily count finds deletions, so each step happens days after the last one. */
const stepDays = 2;
const steps = 4;

export const law: SyncLaw = {
  schemes: ['airtable'],
  async start() {
    const fake = await startFakeAirtable();
    const { world } = fake;
    let days = steps * stepDays;
    const next = (): void => setAge(fake, (days -= stepDays) * dayMinutes);
    next();
    const base = world.createBase('crm');
    const contacts = world.createTable(base, 'contacts', { Name: 'singleLineText' });
    const deals = world.createTable(base, 'deals', {
      Title: 'singleLineText',
      Text: 'multilineText',
    });
    for (let number = 1; number <= count; number++) {
      const contact = world.createRow(contacts, { Name: `Person ${number} ${markedText()}` });
      world.comment(contact, markedText());
      const deal = world.createRow(deals, { Title: `Deal ${number}`, Text: markedText() });
      world.comment(deal, markedText());
      world.comment(deal, markedText());
    }
    return {
      target: `airtable://${base.id}`,
      config: settingsFor(fake),
      content: () => contentOf(world),
      changeAll: () => {
        next();
        changeAll(world);
      },
      removeThird: () => {
        next();
        for (const { id } of everyThird(world.comments.values())) world.comments.delete(id);
        for (const row of everyThird(world.rows.values())) world.deleteRow(row);
      },
      expireCursors: () => world.iterators.clear(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function contentOf(world: AirtableWorld): MarkedContent {
  return Object.fromEntries(
    [...world.tables.values()].map(({ id, name }) => [
      name,
      marksIn(
        world
          .rowsOf(id)
          .map((row) => [row.cells, world.commentsOf(row.id).map(({ text }) => text)]),
      ),
    ]),
  );
}

/** Changes all cells and comments. A changed comment is found with its record. */
function changeAll(world: AirtableWorld): void {
  for (const row of world.rows.values())
    world.editRow(
      row,
      Object.fromEntries(
        Object.entries(row.cells).map(([name, cell]) => [
          name,
          typeof cell === 'string' ? nextEdition(cell) : cell,
        ]),
      ),
    );
  for (const comment of world.comments.values())
    world.editComment(comment, nextEdition(comment.text));
}
