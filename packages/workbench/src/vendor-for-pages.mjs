// Copies the console, and the files of other packages that the server's pages need. The other files, many times as
// large, are never loaded.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from './lib/workspaces.mjs';

const swagger = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

const modules = join(root, 'node_modules');
const site = join(root, 'packages/console/site');

copy(join(modules, 'swagger-ui-dist'), swagger, 'swagger-ui');
copy(join(modules, 'cytoscape'), ['dist/cytoscape.esm.min.mjs', 'LICENSE'], 'cytoscape');
copy(site, readdirSync(site), 'console');

function copy(from, files, folder) {
  const to = join(root, 'packages/server', folder);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const file of files) {
    cpSync(join(from, file), join(to, basename(file)));
  }
}
