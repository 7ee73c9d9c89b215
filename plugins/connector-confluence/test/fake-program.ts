import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeConfluence } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeConfluence();
const { world, service } = fake;

serveFake(
  service,
  { target: 'confluence://acme', config: configOf(fake) },
  {
    /** A space with 500 pages, 100 comments and 5 attachments. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      for (let number = 1; number <= 500; number++) {
        const { id } = world.create(`Page ${number}`, `<p>What page ${number} tells.</p>`);
        if (number % 5 === 0) world.comment(id, `<p>A comment on page ${number}.</p>`);
        if (number % 100 === 0) world.attach(id, `log-${number}.txt`, `Step ${number} failed.`);
      }
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One page gets another text. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      const [id = 0] = world.pages.keys();
      world.edit(id, { body: '<p>Now it tells something else.</p>' });
      world.now = Date.now();
    },
  },
);
