// test-timeout: 900
// test-slow
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeProcess } from '@trove/test-support/fake-process.js';
import { seededRandom } from '@trove/test-support/random.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, hasEnded, jobOf, success } from './support/api.js';
import { assertSame, withoutRevisions } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const kills = 10;
/** A job whose listing ends three processes is set aside. */
const killsOfOneJob = 2;
/** The latency of a remote service, so that a sync lasts long enough. */
const latencyMs = 100;

const test = suite('a server that is killed while it syncs a web service');
const random = seededRandom('a server that is killed while it syncs a web service');

for (const name of ['github', 'slack', 'hubspot'])
  test(`leaves the index of an undisturbed sync of ${name} after ${kills} kills`, async () => {
    const world = await World.make();
    await using fake = await FakeProcess.start(name);
    const { target, config } = fake.source;
    const reference = new Reference(world.path('reference'));
    let server = world.run();
    let killed = 0;
    try {
      await fake.step('fill');
      await fake.step('slow', latencyMs);
      for (let round = 0; killed < kills; round++) {
        assert.ok(round < kills, `the syncs end too early for ${kills} kills`);
        if (round > 0) await fake.step('evolve', round);
        const before = fake.arrived;
        const { left } = await reference.sync([target], { config });
        const size = fake.arrived - before;
        const id = await add(await server.url(), target, { config });
        for (let count = 0; count < killsOfOneJob && killed < kills; count++) {
          // A random request, and a random time after it.
          const goal = fake.arrived + Math.floor(random() * size);
          const url = await server.url();
          const isOver = async (): Promise<boolean> => hasEnded(await jobOf(url, id));
          await waitUntil(async () => fake.arrived >= goal || isOver(), `request ${goal}`);
          await delay(random() * latencyMs);
          if (await isOver()) break;
          assert.is((await server.end('SIGKILL')).signal, 'SIGKILL', server.stderr);
          killed++;
          server = world.run();
        }
        const job = await success(await server.url(), id, target, { config });
        assert.is(job.failed_objects, 0, JSON.stringify(job));
        const own = await snapshotOfHome(world.path('home'));
        assertSame(withoutRevisions(own), withoutRevisions(left), `${name}, round ${round}`);
      }
      console.log(`${killed} kills of ${name}`);
      await server.end('SIGTERM');
    } finally {
      await world.remove();
    }
  });

test.run();
