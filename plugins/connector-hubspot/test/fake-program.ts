import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeHubspot } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeHubspot();
const { world, service } = fake;

serveFake(
  service,
  { target: 'hubspot://acme', config: configOf(fake) },
  {
    /** 400 contacts of 50 companies, 100 deals, and 50 notes. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      const companies = Array.from({ length: 50 }, (_, at) =>
        world.create('companies', { name: `Company ${at}` }),
      );
      for (let number = 0; number < 400; number++) {
        const { id } = world.create('contacts', { firstname: 'Bob', lastname: `Baker ${number}` });
        world.associate(id, companies[number % companies.length]?.id ?? '');
        if (number % 4 === 0) {
          const deal = world.create('deals', { dealname: `Deal ${number}` });
          world.associate(deal.id, id);
        }
        if (number % 8 === 0) {
          const note = world.create('notes', { hs_note_body: `<p>Called ${number} times.</p>` });
          world.associate(note.id, id);
        }
      }
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** Ten deals are changed, one is archived, one is merged into another one, and one is new. */
    evolve(round) {
      world.now = Date.now() - 5 * minuteMs;
      const deals = world.list('deals', false).slice(round * 12 - 12);
      const [archived, merged, winner, ...others] = deals.map(({ id }) => id);
      world.archive(archived ?? '');
      world.merge(merged ?? '', winner ?? '');
      for (const id of others.slice(0, 10)) world.edit(id, { description: `Talks ${round}.` });
      world.create('deals', { dealname: `New deal ${round}` });
      world.now = Date.now();
    },

    /** A deal gets another name. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      const [deal] = world.list('deals', false);
      if (deal !== undefined) world.edit(deal.id, { dealname: 'A larger deal' });
      world.now = Date.now();
    },
  },
);
