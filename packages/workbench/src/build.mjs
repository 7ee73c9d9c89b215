// Installs when needed, then builds every package in the order of their dependencies.
import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';

process.exitCode = (await ensureInstalled()) || (await build());
