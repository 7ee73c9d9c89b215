import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeGithub } from './fake.js';
import { settingsFor, target } from './source.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const issues = 500;
const comments = 200;

const fake = await startFakeGithub();
const { world, service } = fake;

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** A repository with issues, pull requests, comments and releases. */
    fill() {
      world.now = Date.now() - 2 * dayMs;
      for (let number = 1; number <= issues; number++) {
        const item = { title: `Issue ${number}`, body: `What happened in case ${number}.` };
        if (number % 10 === 0) world.createPull(item);
        else world.createIssue(item);
      }
      for (let at = 1; at <= comments; at++)
        world.comment(1 + (at % 50), { body: `Comment ${at} on the case.` });
      world.commentLine(10, 'src/start.ts', { body: 'Why this way?' });
      for (let version = 1; version <= 5; version++)
        world.release(`v${version}`, `Notes ${version}`);
      // The next sync begins at the time of the service.
      world.now = Date.now();
    },

    /** One issue gets another text. */
    change() {
      world.now = Date.now() - 5 * minuteMs;
      world.edit(7, { body: 'Now it happens again.' });
      world.now = Date.now();
    },

    /** Many things happen at once. */
    evolve(round) {
      world.now = Date.now() - 5 * minuteMs;
      for (let number = round + 1; number <= issues; number += 41)
        world.edit(number, {
          body: `Case ${number} in round ${round}.`,
          labels: [`round-${round}`],
        });
      for (const id of [...world.comments.keys()].filter((each) => each % 60 === round))
        world.editComment(id, `An edited comment of round ${round}.`);
      for (let at = 0; at < 15; at++) {
        const { number } = world.createIssue({ title: `New in round ${round}: ${at}` });
        world.comment(number, { body: `The first comment on ${number}.` });
      }
      world.release(`r${round}`, `What is new in round ${round}`);
      world.removeRelease([...world.releases.keys()][0] ?? 0);
      world.now = Date.now();
    },
  },
);
