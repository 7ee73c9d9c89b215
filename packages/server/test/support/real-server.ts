import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger, Plugin } from '@trove/core';
import { openTrove, resolveSettings, type Trove, type SettingsInput } from 'trove';
import { startHost, type Host } from '../../src/host.js';
import { knownToken } from './server.js';
import { Gate, shopConnector } from './shop.js';

/** A folder for a test, with a home, documents and packages in it. */
export interface World {
  readonly root: string;
  readonly docs: string;
  readonly gate: Gate;
}

export interface Running {
  readonly host: Host;
  readonly engine: Trove;
  close(): Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), 'trove-server-'));
  const docs = join(root, 'docs');
  await mkdir(join(docs, 'deep'), { recursive: true });
  await writeFile(
    join(docs, 'fox.md'),
    '# Animals\n\nThe quick brown fox.\n\n# Plants\n\nA fern.\n',
  );
  await writeFile(join(docs, 'deep', 'zoo.ts'), 'export function feedAnimals(): void {}\n');
  await writeFile(
    join(docs, 'bytes.bin'),
    Uint8Array.from({ length: 512 }, (_, n) => n % 251),
  );
  await writeFile(join(docs, 'large.txt'), `${'x'.repeat(99)}\n`.repeat(12_000));
  await writeFile(join(docs, 'long-line.txt'), 'y'.repeat(1_200_000));
  return { root, docs, gate: new Gate() };
}

export function removeWorld({ root }: World): Promise<void> {
  return rm(root, { recursive: true, force: true });
}

/** Installs an npm package in the app root, as an operator would. */
export async function install(
  { root }: World,
  name: string,
  manifest: Readonly<Record<string, unknown>>,
  source: string,
): Promise<void> {
  const folder = join(root, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, type: 'module', ...manifest }),
  );
  await writeFile(join(folder, 'index.js'), source);
}

/** Starts a real server with a real engine in the world's home. */
export async function startReal(
  { root, gate }: World,
  settings: SettingsInput = {},
  {
    shop = true,
    plugins = [],
    logger,
  }: {
    readonly shop?: boolean;
    readonly plugins?: readonly Plugin[];
    readonly logger?: Logger;
  } = {},
): Promise<Running> {
  const engine = await openTrove(resolveSettings(settings, { home: join(root, 'home') }), {
    appRoots: [join(root, 'app.js')],
    plugins: [...plugins, ...(shop ? [shopConnector(gate)] : [])],
    ...(logger === undefined ? {} : { logger }),
  });
  engine.startWorker();
  const host = await startHost({
    engine,
    bind: { host: '127.0.0.1', port: 0 },
    auth: knownToken,
    ...(logger === undefined ? {} : { logger }),
  });
  return {
    host,
    engine,
    close: async () => {
      await Promise.all([engine.close(), host.close(1000)]);
    },
  };
}
