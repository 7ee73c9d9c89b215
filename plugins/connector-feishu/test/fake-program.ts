import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeFeishu } from './fake.js';
import { settingsFor, target } from './source.js';

const dayMs = 86_400_000;

const fake = await startFakeFeishu();
const { world, service } = fake;
let page = '';

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 3 chats of 150 messages, 10 of them topics with replies, and a wiki of 100 pages, 10 of them with pages below. */
    fill() {
      world.now = Date.now() - 30 * dayMs;
      for (let number = 1; number <= 3; number++) {
        const { id } = world.addChat(`Chat ${number}`);
        for (let at = 0; at < 150; at++) {
          const { id: root } = world.post(id, `What message ${at} of chat ${number} tells.`);
          if (at % 15 === 0) world.post(id, `A reply to ${at}.`, { root, inTopic: true });
        }
      }
      const { id: space } = world.addSpace('Handbook');
      for (let at = 0; at < 10; at++) {
        const { token: parent } = world.addPage({
          title: `Part ${at}`,
          content: `Part ${at}.`,
          space,
        });
        for (let below = 1; below < 10; below++) {
          const content = `What page ${below} of part ${at} tells.`;
          page = world.addPage({ title: `Page ${at}.${below}`, content, space, parent }).token;
        }
      }
      world.now = Date.now();
    },

    /** One page gets another text. */
    change() {
      world.editPage(page, 'Now it tells something else.');
    },
  },
);
