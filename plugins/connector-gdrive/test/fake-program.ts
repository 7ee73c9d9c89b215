import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeDrive } from './fake.js';
import { settingsFor, target } from './source.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeDrive();
const { world, service } = fake;
let changed = '';

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 10 folders with 50 files each. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      for (let number = 1; number <= 10; number++) {
        const { id: parent } = world.createFolder(`Folder ${number}`);
        for (let at = 1; at <= 50; at++) {
          const content = `What file ${at} of folder ${number} tells.`;
          changed = world.create({ name: `file-${at}.txt`, content, parent }).id;
        }
      }
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One file gets another text. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      world.edit(changed, { content: 'Now it tells something else.' });
      world.now = Date.now();
    },
  },
);
