import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeNotion } from './fake.js';
import { setAge, settingsFor, target } from './source.js';

const dayMinutes = 24 * 60;

const fake = await startFakeNotion();
const { world, service } = fake;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 400 pages, of which 50 have a comment, and a database of 100 rows. */
    fill() {
      setAge(fake, 2 * dayMinutes);
      for (let number = 1; number <= 400; number++) {
        const page = world.createPage({
          title: `Page ${number}`,
          markdown: `What it tells: ${number}.`,
        });
        if (number % 8 === 0) world.comment(page.id, `A comment on page ${number}.`);
      }
      const cases = world.createDataSource('Cases', {});
      for (let number = 1; number <= 100; number++)
        world.createRow(cases, { title: `Case ${number}`, markdown: `What happened: ${number}.` });
      // The next sync begins at the time of the service.
      setAge(fake, 0);
    },

    /** One page gets another text. */
    change() {
      setAge(fake, 5);
      const [id = ''] = world.pages.keys();
      world.editPage(id, { markdown: 'Now it tells something else.' });
      setAge(fake, 0);
    },
  },
);
