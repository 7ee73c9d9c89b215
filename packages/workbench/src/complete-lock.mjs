// npm run lock:complete: fills package-lock.json for all platforms. npm keeps entries without a hash, so they are
// removed and resolved again. npm omits builds that the current registry does not serve, and `npm ci` then rejects
// the file. These are added by name, version and platform, without a hash.
import { execFileSync } from 'node:child_process';

import { missingOptional, readLock, unhashed, writeLock } from './lib/lock.mjs';
import { root } from './lib/workspaces.mjs';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
/** Spellings in package names that differ from npm's. */
const aliases = { windows: 'win32', 64: 'x64' };

const incomplete = readLock();
const dropped = unhashed(incomplete);
if (dropped.length > 0) {
  for (const place of dropped) delete incomplete.packages[place];
  writeLock(incomplete);
  const args = ['install', '--package-lock-only', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}

const lock = readLock();
const missing = missingOptional(lock);
for (const { place, name, range } of missing) {
  const { dev, license } = lock.packages[place];
  const { cpu, libc, os } = platformOf(name);
  const entry = { version: range, cpu, dev, libc, license, optional: true, os };
  lock.packages[`node_modules/${name}`] = entry;
}
if (missing.length > 0) writeLock(lock);
const left = unhashed(lock);
console.log(
  `package-lock.json: ${dropped.length} packages had no hash, ${left.length} have none now`,
);
for (const place of left) console.log(`  not served by this registry: ${place}`);

/** Returns the platform in a package's name in npm's spelling. Throws if there is none. */
function platformOf(name) {
  const words = name
    .split('/')
    .pop()
    .split('-')
    .map((word) => aliases[word] ?? word);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.flatMap((word) => (os.includes('linux') ? (libraries[word] ?? []) : []));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`which platform is ${name} for?`);
  return { cpu, libc: libc.length > 0 ? libc : undefined, os };
}
