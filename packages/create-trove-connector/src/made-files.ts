import { readFile } from 'node:fs/promises';

/** What a connector in TypeScript is built with. */
const tools = { '@types/node': '20.19.43', typescript: '7.0.2' };

/** The package.json of a connector. */
export async function manifestOf(
  scheme: string,
  language: 'typescript' | 'javascript',
): Promise<string> {
  const own: unknown = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  // Packages of Trove have one version.
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
    dependencies: { '@trove/core': version },
    devDependencies: { '@trove/testkit': version, ...(inTypeScript ? tools : {}) },
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

export function readmeOf(scheme: string): string {
  const variable = `${scheme.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_TOKEN`;
  return `# trove-connector-${scheme}

Makes what a service has searchable with Trove, under URIs such as \`${scheme}://mine\`.

## Try it

\`npm test\` puts it to the conformance suite, against a small service in \`test/\` that speaks the API it reads. Make that service
answer as yours does, then the connector read it. The suite is told of what the service holds, and how to change it, in \`subjectOf\`; a case that
is skipped says what it lacks, and most connectors need few of those.

## Use it

Install it where the server finds it:

    npm install --prefix ~/.trove "$PWD"

Say where the service is in \`${scheme}.toml\`, with the token as a reference. A variable is one of the server's, which has to be started with
it; \`file:/path\` of a file that holds nothing but the token can be made at any time.

    url = "https://${scheme}.example.com/api"
    token = "env:${variable}"

Start the server anew, now and after every change of the code, since it imports a package once:

    export ${variable}=…
    trove serve restart
    trove add ${scheme}://mine --config ${scheme}.toml
    trove search "what I am looking for"

## Publish it

\`npm publish\`. Trove finds a package by its name, \`trove-connector-${scheme}\`; whoever installs it need not configure anything.
`;
}
