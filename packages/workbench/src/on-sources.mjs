// node --import ./packages/workbench/src/on-sources.mjs FILE: runs TypeScript with the sources of all our packages.
import { register as registerHooks } from 'node:module';
import { register } from 'tsx/esm/api';

// Also needed in threads, where `--import tsx` has no effect.
register();
registerHooks('./lib/source-hooks.mjs', import.meta.url);
