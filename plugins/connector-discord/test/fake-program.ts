import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeDiscord } from './fake.js';
import { setAge, settingsFor, target } from './source.js';

const dayMinutes = 24 * 60;

const fake = await startFakeDiscord();
const { world, service } = fake;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 3 channels with 450 messages and 30 threads of 3 messages, of which half are archived. */
    fill() {
      setAge(fake, 10 * dayMinutes);
      const channels = ['general', 'harbour', 'random'].map((name) => world.addChannel(name).id);
      for (let number = 0; number < 450; number++) {
        world.advance(1000);
        const channel = channels[number % channels.length] ?? '';
        const message = world.send(channel, `Message ${number} says where the ship is.`);
        if (number % 15 !== 0) continue;
        const thread = world.startThread(channel, `Ship ${number}`, { message: message.id });
        for (let reply = 1; reply <= 2; reply++)
          world.send(thread.id, `Reply ${reply} about ship ${number}.`);
        if (number % 2 === 0) world.archive(thread.id);
      }
      // The next sync begins at the time of the service.
      setAge(fake, 0);
    },

    /** One thread gets a message. */
    change() {
      setAge(fake, 5);
      const [thread = ''] = world.threads.keys();
      world.send(thread, 'A late reply.');
      setAge(fake, 0);
    },
  },
);
