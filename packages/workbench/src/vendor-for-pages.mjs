// Copies the files of other packages that the server's pages need. The other files, many times as large, are never
// loaded.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from './lib/workspaces.mjs';

const swagger = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

copy('swagger-ui-dist', swagger, 'swagger-ui');
copy('cytoscape', ['dist/cytoscape.esm.min.mjs', 'LICENSE'], 'cytoscape');

function copy(name, files, folder) {
  const to = join(root, 'packages/server', folder);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const file of files) {
    cpSync(join(root, 'node_modules', name, file), join(to, basename(file)));
  }
}
