import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { Findings, Violation } from './findings.mjs';
import { embedderPart } from './embedder/part.mjs';
import { watch } from './liveness/watch.mjs';
import { checkEnd } from './liveness/end.mjs';
import { pluginsPart } from './plugins/part.mjs';
import { makeApi } from './requests/api.mjs';
import { readCorpus } from './requests/corpus.mjs';
import { requestsPart } from './requests/part.mjs';
import { rightsPart } from './rights/part.mjs';
import { seedOf } from './seeds.mjs';
import { socketsPart } from './sockets/part.mjs';
import { makeTally } from './tally.mjs';
import { treePart } from './tree/part.mjs';
import { makeWorld, serve } from './world/world.mjs';

/**
 * The parts of a campaign, each a kind of hostile load. A part is created once per server and returns `{ step(seed),
 * again?(seed, path), close?() }`. A step makes a few hundred calls determined by its seed, and throws or reports a
 * `Violation`.
 */
const partRunners = {
  requests: requestsPart,
  rights: rightsPart,
  sockets: socketsPart,
  tree: treePart,
  plugins: pluginsPart,
  embedder: embedderPart,
};

/**
 * Runs parts in turns against one real server until `more(steps done)` returns false. `short` makes each step smaller.
 * Returns the figures of the run: `{ seed, ms, steps, findings, rows, latencies, peaks }`.
 */
export async function runCampaign({ seed, parts, path, short = false, more, folder, say }) {
  const started = performance.now();
  const findings = new Findings({ folder, say });
  const tally = makeTally();
  const world = makeWorld();
  const steps = Object.fromEntries(parts.map((name) => [name, 0]));
  let watched;
  try {
    const server = await serve(world);
    const api = makeApi(server);
    const again = `npm run fuzz -- --seed ${seed}`;
    try {
      const corpus = await readCorpus(api, world);
      const watcher = watch({
        ...server,
        probes: probesOf(world),
        onViolation: (violation) => findings.add(violation, again),
      });
      try {
        const given = { server, world, api, corpus, findings, tally, short };
        await turns({ given, parts, seed, path, more, findings, steps });
      } finally {
        watched = await watcher.stop();
      }
      keepLog(world, findings, folder);
      await reported(findings, again, () => checkEnd({ world, server, api, findings, again }));
    } finally {
      api.close();
      await server.stop();
    }
  } finally {
    world.close();
  }
  const ms = performance.now() - started;
  return { seed, ms, steps, findings: findings.all, rows: tally.rows(), ...watched };
}

/** Runs the parts in turns, each with the next seed, until the end or until the server grows without bounds. */
async function turns({ given, parts, seed, path, more, findings, steps }) {
  const made = [];
  for (const name of parts) made.push([name, await partRunners[name](given)]);
  try {
    for (
      let done = 0;
      more(done) && !findings.all.some(({ key }) => key === 'process rss');
      done++
    ) {
      const [name, part] = made[done % made.length];
      const number = seedOf(seed, Math.floor(done / made.length));
      await reported(findings, `npm run fuzz -- --only ${name} --seed ${number}`, () =>
        path === undefined ? part.step(number) : part.again(number, path),
      );
      steps[name]++;
    }
  } finally {
    for (const [, part] of made) await part.close?.();
  }
}

async function reported(findings, again, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    findings.add(error, again);
  }
}

/** Copies the server's log next to the findings. */
function keepLog({ home }, findings, folder) {
  if (findings.all.length > 0) copyFileSync(join(home, 'server.log'), join(folder, 'server.log'));
}

function probesOf({ steady }) {
  const path = encodeURIComponent(`${steady}/README.md`);
  return [
    { name: 'healthz', path: '/healthz' },
    { name: 'search', path: `/v1/search?q=fox&path=${encodeURIComponent(steady)}` },
    { name: 'cat', path: `/v1/cat?path=${path}` },
  ];
}
