// Compares the public API of published packages with the committed reports in their folder `api`. With --update,
// writes the reports.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

import { report } from '../lib/report.mjs';
import { publicPackages } from '../lib/workspaces.mjs';

const reported = [
  '@trove/core',
  '@trove/text',
  '@trove/runtime',
  '@trove/engine',
  '@trove/graph',
  '@trove/mcp',
  '@trove/operations',
  '@trove/testkit',
  '@trove/connector-kit',
  'trove',
  '@trove/client',
];
const reportFolder = 'api';
const update = process.argv.includes('--update');
const scratch = mkdtempSync(join(tmpdir(), 'trove-api-'));

const packages = publicPackages().filter(({ manifest }) => reported.includes(manifest.name));
for (const { path } of packages) mkdirSync(join(path, reportFolder), { recursive: true });
const entries = packages.flatMap(entriesOf);
const unbuilt = entries.filter((entry) => !existsSync(join(entry.path, entry.types)));
const problems = [
  ...findMissingPackages(),
  ...unbuilt.map(
    (entry) => `${entry.manifest.name}: ${entry.types} does not exist. Run npm run build`,
  ),
  ...checkAll(entries.filter((entry) => !unbuilt.includes(entry))),
  ...orphans(),
];
rmSync(scratch, { recursive: true, force: true });
report('api', entries.length, 'entries', problems);

/** Returns a package's entries with types as `{ path, manifest, types, name }`. */
function entriesOf({ folder, path, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, target]) => target.types)
    .map(([key, { types }]) => {
      const suffix = key === '.' ? '' : key.slice(1).replaceAll('/', '-');
      return { path, manifest, types, name: `${folder.split('/').pop()}${suffix}.api.md` };
    });
}

/** One TypeScript program for all packages, because they import each other. */
function checkAll(built) {
  const configs = built.map(configOf);
  const [first] = configs;
  if (first === undefined) return [];
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  return built.flatMap((entry, index) => check(entry, configs[index], compilerState));
}

function check(entry, config, compilerState) {
  const messages = [];
  const { apiReportChanged, succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true;
      if (['error', 'warning'].includes(message.logLevel)) messages.push(message.text);
    },
  });
  if (update) return [];
  if (apiReportChanged) {
    return [`${entry.name} differs from the built API: look at it, then npm run api:update`];
  }
  return succeeded ? [] : messages.map((text) => `${entry.name}: ${text}`);
}

function configOf({ path, types, name }) {
  return ExtractorConfig.prepare({
    configObjectFullPath: join(path, 'api-extractor.json'),
    packageJsonFullPath: join(path, 'package.json'),
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: join(path, types),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(path, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: join(path, reportFolder),
        reportTempFolder: scratch,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: 'warning' },
          'ae-forgotten-export': { logLevel: 'warning', addToApiReportFile: true },
          // Every export is public, so no tag is required.
          'ae-missing-release-tag': { logLevel: 'none' },
          // The report marks what is undocumented.
          'ae-undocumented': { logLevel: 'none' },
          'ae-unresolved-link': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
}

/** Returns names in the list above without a package. */
function findMissingPackages() {
  const names = publicPackages().map(({ manifest }) => manifest.name);
  return reported.filter((name) => !names.includes(name)).map((name) => `${name} does not exist`);
}

/** Returns reports of entries that no longer exist. */
function orphans() {
  const known = new Set(entries.map(({ name }) => name));
  return packages.flatMap(({ folder, path }) =>
    readdirSync(join(path, reportFolder))
      .filter((name) => !known.has(name))
      .map((name) => `${folder}/${reportFolder}/${name} belongs to no entry: remove it`),
  );
}
