import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createConnector } from './create.js';

const usage = `Creates the package of a connector for Trove. Its tests pass unchanged.

npm create trove-connector SCHEME [-- OPTIONS]

SCHEME is the first part of its URIs: notes for notes://mine.

  --javascript    use JavaScript instead of TypeScript
  --http          describe a web service with @trove/connector-kit, and test it
                  with a fake service that is made from the description
  --folder DIR    target folder, empty or new; default: trove-connector-SCHEME
  --help          show this text
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      javascript: { type: 'boolean', default: false },
      http: { type: 'boolean', default: false },
      folder: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [scheme, ...others] = positionals;
  if (values.help) return void process.stdout.write(usage);
  if (scheme === undefined || others.length > 0) throw new Error(`name one scheme\n\n${usage}`);
  const folder = resolve(values.folder ?? `trove-connector-${scheme}`);
  const language = values.javascript ? 'javascript' : 'typescript';
  const { isLinked } = await createConnector({
    scheme,
    folder,
    language,
    http: values.http,
  });
  const steps = [
    `cd ${relative('', folder) || '.'}`,
    ...(isLinked ? [] : ['npm install']),
    'npm test',
  ];
  process.stdout.write(
    `Created ${basename(folder)} in ${values.javascript ? 'JavaScript' : 'TypeScript'}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}\nIts README explains how to use it.\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(
    `create-trove-connector: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
