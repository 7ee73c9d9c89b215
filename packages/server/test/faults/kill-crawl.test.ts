// test-timeout: 300
// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen, type TestServer } from '@trove/test-support/listen.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, jobEnd } from './support/api.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const pages = 60;
/** The server is killed when it requests the page with this number. */
const killedAt = [12, 35];
const config = { delay_ms: 0, connections: 2 };

const test = suite('a server that is killed during a crawl');
let world: World;
let site: TestServer;
let target: string;
let edition = 1;
/** Numbers of pages that get no response. */
const held = new Set<number>();
let asked: number[] = [];

test.before(async () => {
  world = await World.make();
  site = await listen((request, response) => {
    const number = Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? NaN);
    if (request.url !== '/' && !(number < pages)) return void response.writeHead(404).end();
    if (number < pages) asked.push(number);
    if (held.has(number)) return;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(textOf(number));
  });
  target = site.origin;
});
test.after(async () => {
  await site.stop();
  await world.remove();
});

/** The number of a page. NaN is the first page, which links to some. Each links to the next. */
function textOf(number: number): string {
  const links = Number.isNaN(number) ? ['/p0', '/p20', '/p40'] : [`/p${number + 1}`];
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  const text = number % 3 === 0 ? `in edition ${edition}` : 'as ever';
  return `<title>Page ${number}</title><h1>Page ${number}</h1><p>What it says, ${text}.</p>${anchors}`;
}

for (const what of ['the first time', 'when pages have changed'])
  test(`leaves, ${what}, the index of an undisturbed one, and continues where it was`, async () => {
    const { left } = await new Reference(world.path('reference')).sync([target], { config });
    asked = [];
    let server = world.run('home');
    const id = await add(await server.url(), target, { config });
    for (const number of killedAt) {
      held.add(number);
      await waitUntil(() => asked.includes(number), `page ${number}`);
      assert.is((await server.end('SIGKILL')).signal, 'SIGKILL', server.stderr);
      held.clear();
      server = world.run('home');
      await server.url();
    }
    const job = await jobEnd(await server.url(), id);
    assert.is(job.status, 'succeeded', JSON.stringify(job));
    await server.end('SIGTERM');
    assertSame(await snapshotOfHome(world.path('home')), left, what);
    // Pages in flight are requested again, all others once.
    const again = asked.length - pages;
    assert.ok(again <= killedAt.length * config.connections, `${again} pages were asked for again`);
    edition++;
  });

test.run();
