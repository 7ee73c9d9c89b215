// node --import ./packages/workbench/src/on-sources.mjs FILE: runs TypeScript with every package of ours on its sources.
import { register as registerHooks } from 'node:module';
import { register } from 'tsx/esm/api';

// In threads, too, where `--import tsx` does nothing.
register();
registerHooks('./lib/source-hooks.mjs', import.meta.url);
