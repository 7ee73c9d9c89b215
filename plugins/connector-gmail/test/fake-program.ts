import { serveFake } from '@trove/test-support/fake-program.js';
import type { StoredMessage } from './fake/world.js';
import { startFakeGmail } from './fake.js';
import { settingsFor, target } from './source.js';

const fake = await startFakeGmail();
const { world, service } = fake;
let last: StoredMessage | undefined;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 500 messages in 125 conversations, 10 of them with an attachment. */
    fill() {
      for (let at = 0; at < 500; at++) {
        world.advance(60_000);
        const files = at % 50 === 0 ? { 'notes.txt': `What file ${at} tells.` } : {};
        const text = `What message ${at} tells.`;
        const reply = at % 4 === 0 || last === undefined ? {} : { replyTo: last };
        last = world.deliver({ subject: `Subject ${at}`, text, files, ...reply });
      }
    },

    /** One message is answered. */
    change() {
      world.advance(60_000);
      const reply = last === undefined ? {} : { replyTo: last };
      world.deliver({ text: 'Now it is answered.', ...reply });
    },
  },
);
