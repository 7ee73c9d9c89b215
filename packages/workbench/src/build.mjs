// Installs if needed, then builds all packages in dependency order.
import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';

process.exitCode = (await ensureInstalled()) || (await build());
