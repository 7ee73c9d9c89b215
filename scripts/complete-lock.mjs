// npm run lock:complete: npm leaves out of package-lock.json the builds for other platforms that the
// registry in use does not carry, and then `npm ci` refuses the file. This adds them by name, version
// and platform; npm fetches them only where the platform matches.
import { missingOptional, readLock, writeLock } from './lib/lock.mjs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
/** Spellings in package names that differ from npm's. */
const ALIASES = { windows: 'win32', 64: 'x64' };

const lock = readLock();
const missing = missingOptional(lock);
for (const { place, name, range } of missing) {
  const { dev, license } = lock.packages[place];
  const { cpu, libc, os } = platformOf(name);
  const entry = { version: range, cpu, dev, libc, license, optional: true, os };
  lock.packages[`node_modules/${name}`] = entry;
}
if (missing.length > 0) writeLock(lock);
console.log(`${missing.length} packages for other platforms added to package-lock.json`);

/** The platform in a package's name, in npm's spelling; throws when there is none. */
function platformOf(name) {
  const words = name
    .split('/')
    .pop()
    .split('-')
    .map((word) => ALIASES[word] ?? word);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = words.flatMap((word) => (os.includes('linux') ? (LIBRARIES[word] ?? []) : []));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`which platform is ${name} for?`);
  return { cpu, libc: libc.length > 0 ? libc : undefined, os };
}
