import { readFile } from 'node:fs/promises';

/** The development dependencies of a connector in TypeScript. */
const tools = { '@types/node': '20.19.43', typescript: '7.0.2' };

/** The package.json of a connector. */
export async function manifestOf(
  scheme: string,
  { language, http }: { readonly language: 'typescript' | 'javascript'; readonly http: boolean },
): Promise<string> {
  const own: unknown = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  // All packages of Trove have the same version.
  const version = String(Reflect.get(Object(own), 'version'));
  const inTypeScript = language === 'typescript';
  const manifest = {
    name: `trove-connector-${scheme}`,
    version: '0.1.0',
    description: `Sources of the scheme ${scheme} for Trove.`,
    keywords: ['trove', 'trove-connector'],
    type: 'module',
    engines: { node: '>=20.19' },
    exports: inTypeScript
      ? { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } }
      : { '.': './index.js' },
    files: inTypeScript ? ['dist/src'] : ['index.js'],
    scripts: inTypeScript
      ? { build: 'tsc', test: 'tsc && node --test dist/test/suite.test.js', prepack: 'tsc' }
      : { test: 'node --test test/suite.test.js' },
    ...(http ? { dependencies: { '@trove/connector-kit': version } } : {}),
    // The app has the only copy of the contract.
    peerDependencies: { '@trove/core': version },
    devDependencies: {
      '@trove/core': version,
      '@trove/testkit': version,
      ...(inTypeScript ? tools : {}),
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export const tsconfig = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'ES2023',
      lib: ['ES2023', 'ES2024.String', 'ESNext.Disposable'],
      module: 'NodeNext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      declaration: true,
      rootDir: '.',
      outDir: 'dist',
    },
    include: ['src', 'test'],
  },
  null,
  2,
)}\n`;

const parts = {
  plain: {
    content: 'notes',
    steps: `1. Make the service answer like your API.
2. Describe the contents of the service in \`subjectOf\` of the test.
3. Change the connector until the suite passes.`,
    service: 'a small service in `test/`',
  },
  http: {
    content: 'tickets',
    steps: `1. Describe your API in \`defineHttpConnector\`: its address, login, pages and fields.
2. Replace the items in \`test/suite.test\` by items of your API, and \`records\` by the records that the connector must make of them.
3. Change the description until the suite passes.`,
    service: 'a fake service that is made from the description',
  },
} as const;

export function readmeOf(scheme: string, http: boolean): string {
  const { content, steps, service } = parts[http ? 'http' : 'plain'];
  const variable = `${scheme.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_TOKEN`;
  return `# trove-connector-${scheme}

Makes the ${content} of a service searchable with Trove, under URIs such as \`${scheme}://mine\`.

## Test it

\`npm test\` runs the conformance suite against ${service}. Adapt the package to your source in this order:

${steps}

A skipped case names the missing member of the subject or connector. Most connectors need only some of them.

## Use it

Install the package where the server looks for plugins:

    npm install --prefix ~/.trove "$PWD"

Write the address of the service and a reference to its token into \`${scheme}.toml\`. The server needs the variable in its environment when
it starts. A file with only the token (\`file:/path\`) can be added at any time.

    url = "https://${scheme}.example.com/api"
    token = "env:${variable}"

Restart the server now and after each change of the code, because it imports a package only once. Then add the source and search:

    export ${variable}=…
    trove serve restart
    trove add ${scheme}://mine --config ${scheme}.toml
    trove search "something in your ${content}"

## Publish it

Run \`npm publish\`. Trove finds the package by its name, \`trove-connector-${scheme}\`, without further configuration.
`;
}
