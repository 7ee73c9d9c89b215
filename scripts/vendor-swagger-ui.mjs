// Copies what the documentation page needs of Swagger UI into the server's package: the rest of it, six times as much,
// is never loaded.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './lib/workspaces.mjs';

const FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];
const from = join(root, 'node_modules/swagger-ui-dist');
const to = join(root, 'packages/server/swagger-ui');

rmSync(to, { recursive: true, force: true });
mkdirSync(to);
for (const name of FILES) cpSync(join(from, name), join(to, name));
