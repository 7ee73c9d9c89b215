// Bundles the console in the current folder to static files in site/, after tsc has checked it. The licences of the
// bundled packages are beside them.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { root } from './lib/workspaces.mjs';

const site = 'site';
const licences = {
  'eventsource-parser': 'LICENSE',
  marked: 'LICENSE',
  preact: 'LICENSE',
};

/** The drawing of graphs is a file of its own, which is loaded with the first graph. */
const drawing = {
  name: 'drawing',
  setup({ onResolve }) {
    onResolve({ filter: /^cytoscape$/ }, () => ({ path: './cytoscape.js', external: true }));
  },
};

rmSync(site, { recursive: true, force: true });
mkdirSync(site);
await build({
  entryPoints: { console: 'src/main.tsx' },
  outdir: site,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [drawing],
});
await build({
  entryPoints: { console: 'src/style/console.css', frame: 'src/style/frame.css' },
  outdir: site,
  bundle: true,
  minify: true,
  logLevel: 'warning',
});
cpSync('src/index.html', join(site, 'index.html'));
for (const [name, file] of Object.entries(licences)) {
  cpSync(join(root, 'node_modules', name, file), join(site, `${name}.LICENSE.txt`));
}
