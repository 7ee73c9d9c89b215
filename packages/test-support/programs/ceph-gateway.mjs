// Runs an S3 store until standard input ends, even if the parent process dies: Ceph's gateway with one monitor and
// one daemon that keeps objects in memory, on loopback, without authentication between them. Prints { endpoint,
// bucket, accessKeyId, secretAccessKey, configuration } when its empty bucket exists. The argument is further settings
// of Ceph as JSON. Exits with 2 if Ceph is not installed.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { AwsClient } from 'aws4fetch';

import { freePort } from '@trove/test-support/free-port.js';
import { Daemons } from './daemons.mjs';

const requiredPrograms = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'ceph'];
const startTimeoutMs = 120_000;
const bucket = 'trove';
const accessKeyId = 'trove-test';
const secretAccessKey = 'trove-test-secret';

const missing = requiredPrograms.filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')} (Debian: apt install ceph-mon ceph-osd radosgw ceph-common)`,
  );
  process.exit(2);
}

const daemons = new Daemons();
const folder = mkdtempSync(join(tmpdir(), 'trove-ceph-'));
const conf = join(folder, 'ceph.conf');
try {
  await Promise.race([serve(), daemons.ended]);
} finally {
  await daemons.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function serve() {
  const endpoint = await start();
  const facts = { endpoint, bucket, accessKeyId, secretAccessKey, configuration: conf };
  console.log(JSON.stringify(facts));
  await daemons.ended;
}

async function start() {
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) mkdirSync(join(folder, name));
  const [fsid, osd] = [randomUUID(), randomUUID()];
  const [v2, v1, port] = [await freePort(), await freePort(), await freePort()];
  const monitor = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
  writeFileSync(conf, configuration(fsid, monitor));
  const ours = ['-c', conf];
  const map = join(folder, 'monmap');
  await daemons.run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, map]);
  await daemons.run('ceph-mon', [...ours, '--mkfs', '-i', 'a', '--monmap', map]);
  daemons.start('ceph-mon', [...ours, '-f', '-i', 'a']);
  await daemons.run('ceph', [...ours, 'osd', 'new', osd]);
  await daemons.run('ceph-osd', [...ours, '-i', '0', '--mkfs', '--osd-uuid', osd]);
  daemons.start('ceph-osd', [...ours, '-f', '-i', '0']);
  const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey];
  const user = ['--uid', 'trove', '--display-name', 'trove', ...keys];
  await daemons.run('radosgw-admin', [...ours, 'user', 'create', ...user]);
  // Without this, many answers wait 40 ms for an acknowledgement.
  const frontend = `beast endpoint=127.0.0.1:${port} tcp_nodelay=1`;
  daemons.start('radosgw', [...ours, '-f', '-n', 'client.admin', '--rgw-frontends', frontend]);
  const url = `http://127.0.0.1:${port}`;
  await makeBucket(`${url}/${bucket}`);
  return url;
}

/** Without authentication, every kind of connection must be `crc`, or the gateway never connects. */
function configuration(fsid, monitor) {
  const modes = ['cluster', 'service', 'client', 'mon cluster', 'mon service', 'mon client'];
  const settings = {
    fsid,
    'mon initial members': 'a',
    'mon host': monitor,
    'public network': '127.0.0.0/8',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    ...Object.fromEntries(modes.map((name) => [`ms ${name} mode`, 'crc'])),
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 1,
    'osd pool default pgp num': 1,
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': 0,
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 32,
    'osd max object name len': 256,
    'osd max object namespace len': 64,
    'mon allow pool size one': true,
    'mon data avail crit': 1,
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    'rgw data': join(folder, 'rgw'),
    'run dir': join(folder, 'run'),
    'admin socket': join(folder, 'run', '$name.asok'),
    'pid file': join(folder, 'run', '$name.pid'),
    'log file': join(folder, 'log', '$name.log'),
    ...JSON.parse(process.argv[2] ?? '{}'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return ['[global]', ...lines, ''].join('\n');
}

/** Retries until the gateway answers. */
async function makeBucket(url) {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: 'us-east-1',
  });
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const answer = await client.fetch(url, { method: 'PUT' }).catch(() => null);
    if (answer?.ok === true) return;
    if (Date.now() > deadline) throw new Error(`There is no bucket at ${url}`);
    await delay(100);
  }
}
