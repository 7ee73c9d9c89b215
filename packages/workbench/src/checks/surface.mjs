// Checks the packages as users install them: packs each one and runs publint, attw and a few rules of our own on the
// tarball.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { addedBytes, installBytes } from '../lib/lock.mjs';
import { pack } from '../lib/pack.mjs';
import { report } from '../lib/report.mjs';
import { mapLimited } from '../lib/run.mjs';
import { staleFiles } from '../lib/stale.mjs';
import { publicPackages, root } from '../lib/workspaces.mjs';

const parallel = 2;
const core = 'packages/core';
/** Less than the size of its main entry. */
const minCoreBytes = 30_000;
/** Resolutions that do not support packages with only ES modules. */
const notOurs = ['node10', 'node16-cjs'];
/** The size of an installation in an empty folder. The native library of the index is half of it. */
const maxInstallBytes = 350e6;
/** What all connectors of web services add to it together, with their part of the kit. */
const maxWebServiceBytes = 5e6;
/** Fewer connectors mean that they are not recognised. */
const minWebServices = 7;
const webServiceKit = '@trove/connector-kit/http';
const packages = publicPackages();
const scratch = mkdtempSync(join(tmpdir(), 'trove-surface-'));

try {
  const unbuilt = packages.filter(({ path }) => !existsSync(join(path, 'dist')));
  const problems = unbuilt.map(({ folder }) => `${folder} has no dist: run npm run build`);
  const packed = await pack(
    packages.filter((one) => !unbuilt.includes(one)),
    scratch,
  );
  const found = await mapLimited(packed, parallel, problemsOf);
  problems.push(...found.flat());
  if (packed.some(({ folder }) => folder === core)) problems.push(...coreNeedsNothing());
  problems.push(...installProblems(), ...webServiceProblems(packed));
  report('surface', packed.length, 'packages', problems);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function problemsOf(one) {
  const all = await Promise.all([publintProblems(one), attwProblems(one)]);
  const own = [...strayFiles(one), ...stale(one), ...exportProblems(one)];
  return [...all.flat(), ...own].map((problem) => `${one.folder}: ${problem}`);
}

async function publintProblems({ manifest, tarball }) {
  const bytes = readFileSync(tarball);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages
    .filter(({ type }) => type !== 'suggestion')
    .map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`);
}

/** Calls the library, because the command would load TypeScript for each package. */
async function attwProblems({ tarball }) {
  const { problems = [] } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  return problems
    .filter(({ resolutionKind }) => !notOurs.includes(resolutionKind))
    .map((problem) => `attw: ${JSON.stringify(problem)}`);
}

/** Returns files that no user needs, and missing ones that every user needs. */
function strayFiles({ files, manifest }) {
  const wanted =
    /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.js|man\/[\w.-]+\.1|lancedb\/.+\.(js|json|md)|pages\/[\w/]+\.(html|css|js)|(swagger-ui|cytoscape|console)\/(LICENSE|NOTICE|[\w.-]+\.(js|mjs|css|txt|html))|bundle\/[\w-]+\.js(\.map)?|dist\/.+\.(js|js\.map|d\.ts|json|html|css|sql))$/;
  const stray = files
    .filter((file) => !wanted.test(file) && !manifest.files.includes(file))
    .map((file) => `packs a stray ${file}`);
  return files.includes('LICENSE') ? stray : ['packs no LICENSE', ...stray];
}

/** Returns built files without a source. */
function stale({ path }) {
  return staleFiles(path).map((file) => `${file} has no source. Run npm run build`);
}

/** Checks that exports list each entry, so that no other module can be imported. */
function exportProblems({ manifest, path }) {
  const entries = Object.keys(manifest.exports ?? {});
  const problems = entries
    .filter((entry) => entry.includes('*'))
    .map((entry) => `exports "${entry}": list each entry by name`);
  if (!entries.includes('./package.json')) problems.push('exports lack "./package.json"');
  try {
    createRequire(join(path, 'package.json')).resolve(`${manifest.name}/dist/index.js`);
    problems.push('its inner files can be imported');
  } catch (error) {
    if (error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') problems.push(error.message);
  }
  return problems;
}

/** Checks the size of what `npm install trove` installs, as far as it exists here. Requires the native library. */
function installProblems() {
  const bytes = installBytes('packages/trove');
  if (bytes < 100e6) return [`packages/trove: an install brings ${bytes} bytes only: run npm ci`];
  return bytes <= maxInstallBytes
    ? []
    : [`packages/trove: an install brings ${bytes} bytes, more than ${maxInstallBytes}`];
}

/** Checks what the connectors of web services add to an install: their files, those of the kit, and foreign packages. */
function webServiceProblems(packed) {
  const connectors = packed.filter(({ path }) => importsOfPackage(path).includes(webServiceKit));
  if (connectors.length < minWebServices)
    return [`only ${connectors.length} connectors of web services are found`];
  const names = connectors.map(({ manifest }) => manifest.name);
  const kit = packed.find(({ manifest }) => webServiceKit.startsWith(`${manifest.name}/`));
  const ofKit = kit.files.filter((file) => file.startsWith('dist/http/'));
  const bytes = [...connectors, { ...kit, files: ofKit }]
    .flatMap(({ path, files }) => files.map((file) => statSync(join(path, file)).size))
    .reduce((sum, size) => sum + size, addedBytes('packages/trove', names));
  console.log(`connectors of web services: ${names.length}, ${bytes} bytes`);
  return bytes <= maxWebServiceBytes
    ? []
    : [`the connectors of web services add ${bytes} bytes, more than ${maxWebServiceBytes}`];
}

function importsOfPackage(path) {
  return readdirSync(join(path, 'dist'), { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => importsOf(join(path, 'dist', name)));
}

/** Checks that the main entry of core imports no package and no built-in module. */
function coreNeedsNothing() {
  const built = join(root, core, 'bundle');
  const pending = [join(built, 'index.js')];
  const visited = new Set();
  const problems = [];
  while (pending.length > 0) {
    const file = pending.pop();
    if (visited.has(file)) continue;
    visited.add(file);
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) pending.push(join(file, '..', name));
      else problems.push(`${core}: its main entry loads "${name}" in ${file}`);
    }
  }
  const bytes = [...visited].reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes < minCoreBytes) problems.push(`${core}: followed ${bytes} bytes only`);
  return problems;
}

function importsOf(file) {
  const source = readFileSync(file, 'utf8');
  const pattern =
    /^(?:import|export)\b[^'";]*?\bfrom ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm;
  return [...source.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3]);
}
