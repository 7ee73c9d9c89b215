import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startServer } from '../../lib/server.mjs';
import { installPlugin } from '../plugins/packages.mjs';
import { writeScratch } from './scratch.mjs';
import { writeSteady } from './steady.mjs';

/**
 * Creates a temporary folder for a run: the server's home, the sources, and files outside the sources that no response
 * may contain. `close` removes it.
 */
export function makeWorld() {
  const root = mkdtempSync(join(tmpdir(), 'trove-fuzz-'));
  const sources = join(root, 'sources');
  const world = {
    root,
    home: join(root, 'home'),
    sources,
    steady: join(sources, 'steady'),
    scratch: ['one', 'two', 'three'].map((name) => join(sources, `scratch-${name}`)),
    /** Sources of the part `rights`. */
    marked: join(sources, 'marked'),
    outside: join(root, 'outside'),
    canaries: [`canary${randomBytes(12).toString('hex')}`],
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const folder of [world.home, world.steady, world.outside, ...world.scratch]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(world.outside, 'private.txt'), `${world.canaries[0]} is nobody's business\n`);
  writeSteady(world);
  for (const folder of world.scratch) writeScratch(folder);
  writeFileSync(
    join(world.home, 'server.toml'),
    configOf(world, installPlugin(world.home, 'connector')),
  );
  return world;
}

function configOf({ sources }, connector) {
  return [
    '[server]',
    `allowed_roots = [${JSON.stringify(sources)}]`,
    '[log]',
    'format = "json"',
    '[plugins]',
    `hostile = "${connector}"`,
    '',
  ].join('\n');
}

/** Starts the server of a world. Returns `{ endpoint, token, pid, stop }`. Its token is another canary. */
export async function serve(world) {
  const server = await startServer(world.home);
  const token = readFileSync(join(world.home, 'server.token'), 'utf8').trim();
  if (!world.canaries.includes(token)) world.canaries.push(token);
  return { ...server, token };
}
