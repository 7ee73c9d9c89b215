import { serveFake } from '@trove/test-support/fake-program.js';

import { startFakeIntercom } from './fake.js';
import { configOf } from './support.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeIntercom();
const { world, service } = fake;

/** Makes changes some minutes ago. The next sync begins at the time of the service. */
function changeEarlier(make: () => void): void {
  world.now = Date.now() - 5 * minuteMs;
  make();
  world.now = Date.now();
}

function conversationAt(at: number): string {
  return [...world.conversations.keys()][at] ?? '';
}

serveFake(
  service,
  { target: 'intercom://acme', config: configOf(fake) },
  {
    /** 300 conversations of 50 people with two answers each, 200 tickets with an answer, and 100 articles. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      const people = Array.from({ length: 50 }, (_, at) => world.addPerson(`Person ${at}`, 'user'));
      for (let number = 1; number <= 300; number++) {
        const contact = people[number % people.length] ?? world.bob;
        const { id } = world.write(`What happened in case ${number}.`, {}, contact);
        for (const word of ['first', 'second'])
          world.reply(id, `The ${word} answer to case ${number}.`);
      }
      for (let number = 1; number <= 200; number++) {
        const { id } = world.open(`Bug ${number}`, `How to see bug ${number}.`);
        world.reply(id, `The answer to bug ${number}.`);
      }
      for (let number = 1; number <= 100; number++)
        world.publish(`Guide ${number}`, `<p>How to do thing ${number}.</p>`);
      world.now = Date.now();
    },

    /** Ten conversations get an answer, one is deleted, and one is new. */
    evolve(round) {
      changeEarlier(() => {
        const first = round * 11;
        for (let at = first; at < first + 10; at++)
          world.reply(conversationAt(at), `Answer ${round} to case ${at}.`);
        world.removeConversation(conversationAt(first + 10));
        world.write(`New case ${round}`);
      });
    },

    /** A person answers. */
    change() {
      changeEarlier(
        () => void world.reply(conversationAt(200), 'Now it happens again.', { author: world.bob }),
      );
    },
  },
);
