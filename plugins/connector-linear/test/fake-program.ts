import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeLinear } from './fake.js';
import { setAge, settingsFor, target } from './source.js';

const dayMinutes = 24 * 60;

const fake = await startFakeLinear();
const { world, service } = fake;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 500 issues, 200 comments, 10 projects with an update each, and 50 documents. */
    fill() {
      setAge(fake, 2 * dayMinutes);
      const bug = world.addLabel('bug');
      const issues = Array.from({ length: 500 }, (_, at) =>
        world.createIssue({
          title: `Case ${at}`,
          description: `It happened ${at} times.`,
          labelIds: [bug],
        }),
      );
      for (let at = 0; at < 200; at++)
        world.comment({ issue: issues[at % 50]?.id ?? '' }, `Comment ${at} on the case.`);
      for (let at = 0; at < 10; at++) {
        const project = world.createProject(`Project ${at}`, { description: `The goal is ${at}.` });
        world.postUpdate(project.id, `Step ${at} is done.`);
      }
      for (let at = 0; at < 50; at++)
        world.createDocument(`Document ${at}`, `What it tells: ${at}.`);
      // The next sync begins at the time of the service.
      setAge(fake, 0);
    },

    /** One issue gets another text. */
    change() {
      setAge(fake, 5);
      const [id = ''] = world.issues.keys();
      world.edit(world.issues, id, { description: 'Now it happens again.' });
      setAge(fake, 0);
    },
  },
);
