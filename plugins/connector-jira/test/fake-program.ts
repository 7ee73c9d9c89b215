import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeJira } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeJira();
const { world, service } = fake;

serveFake(
  service,
  { target: 'jira://acme', config: configOf(fake) },
  {
    /** A project with 500 issues, of which 100 have two comments, and 5 attachments. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      for (let number = 1; number <= 500; number++)
        world.create({
          summary: `Case ${number}`,
          description: `What happened in case ${number}.`,
        });
      for (let number = 1; number <= 100; number++)
        for (const word of ['first', 'second'])
          world.comment(`TRV-${number}`, `The ${word} comment on case ${number}.`);
      for (let number = 1; number <= 5; number++)
        world.attach(`TRV-${number}`, `log-${number}.txt`, `Step ${number} failed.`);
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One issue gets another text. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      world.edit('TRV-200', { description: 'Now it happens again.' });
      world.now = Date.now();
    },
  },
);
