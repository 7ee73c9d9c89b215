import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeGitlab } from './fake.js';
import { settingsFor, target } from './source.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const fake = await startFakeGitlab();
const { world, service } = fake;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 450 issues, of which 50 have notes, 50 merge requests and 5 releases. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      for (let iid = 1; iid <= 450; iid++)
        world.create('issue', {
          title: `Issue ${iid}`,
          description: `What happened in case ${iid}.`,
        });
      for (let iid = 1; iid <= 50; iid++) {
        world.create('merge_request', { title: `Request ${iid}` });
        world.note('issue', iid, `A note on case ${iid}.`);
      }
      for (let version = 1; version <= 5; version++)
        world.release(`v${version}`, `Notes ${version}`);
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One issue gets another text. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      world.edit('issue', 100, { description: 'Now it happens again.' });
      world.now = Date.now();
    },
  },
);
