import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeZendesk } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeZendesk();
const { world, service } = fake;

serveFake(
  service,
  { target: 'zendesk://acme', config: configOf(fake) },
  {
    /** 500 tickets of 50 people, of which 100 have two answers, and 100 articles. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      const people = Array.from({ length: 50 }, (_, at) =>
        world.addUser(`Person ${at}`, 'end-user'),
      );
      for (let number = 1; number <= 500; number++)
        world.create({
          subject: `Case ${number}`,
          description: `What happened in case ${number}.`,
          requester: people[number % people.length] ?? world.bob,
        });
      for (let number = 1; number <= 100; number++)
        for (const word of ['first', 'second'])
          world.comment(number, `The ${word} answer to case ${number}.`);
      for (let number = 1; number <= 100; number++)
        world.writeArticle(`Guide ${number}`, `<p>How to do thing ${number}.</p>`);
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** Ten tickets get an answer, one is deleted, one is merged into another one, and one is new. */
    evolve(round) {
      world.now = Date.now() - 5 * minuteMs;
      const first = round * 13;
      for (let number = first; number < first + 10; number++)
        world.comment(number, `Answer ${round} to case ${number}.`);
      world.remove(first + 10);
      world.merge(first + 11, first + 12);
      world.create({ subject: `New case ${round}`, description: 'It happens.' });
      world.now = Date.now();
    },

    /** A person answers. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      world.comment(200, 'Now it happens again.', { author: world.bob });
      world.now = Date.now();
    },
  },
);
