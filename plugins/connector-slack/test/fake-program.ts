import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeSlack } from './fake.js';
import { settingsOf } from './source.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const channelNames = ['general', 'harbour', 'random'];
const messages = 450;

const fake = await startFakeSlack();
const { world, service } = fake;

// Files come from another host, which a server cannot reach.
serveFake(
  service,
  { target: 'slack://acme', config: settingsOf(fake, { files: false }) },
  {
    /** Channels with messages, of which some have replies. */
    fill() {
      world.now = Date.now() - 10 * dayMs;
      for (const name of channelNames) world.addChannel(name);
      for (let number = 1; number <= messages; number++) post(number);
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One thread gets a reply. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      const [channel] = world.channels.keys();
      const [root] = threads(channel);
      world.post(channel ?? '', 'A late reply.', { thread: root ?? '' });
      world.now = Date.now();
    },

    /** Many things happen at once. */
    evolve(round) {
      world.now = Date.now() - (9 - round) * dayMs;
      for (const channel of world.channels.keys()) {
        const roots = threads(channel);
        for (const root of roots.filter((_, at) => at % 4 === round % 4))
          world.post(channel, `A late reply of round ${round}.`, { thread: root });
        const all = world.visibleMessages(channel);
        for (const { ts } of all.filter((_, at) => at % 23 === round))
          world.edit(channel, ts, `Edited in round ${round}.`);
        for (const { ts } of all.filter((_, at) => at % 31 === round)) world.remove(channel, ts);
      }
      for (let number = 1; number <= 60; number++) post(number);
      world.now = Date.now();
    },
  },
);

function post(number: number): void {
  const channels = [...world.channels.keys()];
  const channel = channels[number % channels.length] ?? '';
  world.advance(1000);
  const thread = world.post(channel, `Message ${number} says where the ship is.`);
  for (let reply = 1; reply <= (number % 15 === 0 ? 3 : 0); reply++) {
    world.advance(1000);
    world.post(channel, `Reply ${reply} to message ${number}.`, { thread });
  }
}

/** Returns the first messages of threads with replies. */
function threads(channel = ''): string[] {
  const all = world.visibleMessages(channel);
  return [...new Set(all.flatMap(({ thread }) => thread ?? []))];
}
