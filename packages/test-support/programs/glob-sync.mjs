// node --import glob-sync.mjs PROGRAM: runs the protocol's conformance suite before Node.js 22, whose `fs` has no
// `globSync`. The suite imports it, but only calls it to compare SDKs.
import * as fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const source = `
export * from 'node:fs';
export function globSync() {
  throw new Error('fs.globSync needs Node.js 22');
}`;
const replacement = `data:text/javascript,${encodeURIComponent(source)}`;

// The thread of the hooks loads this file again.
if (isMainThread && fs.globSync === undefined) register(import.meta.url);

/** Replaces `fs` for the suite only, because the replacement has no default export. */
export function resolve(specifier, context, nextResolve) {
  const isImported = specifier === 'fs' && context.parentURL?.includes('/conformance/dist/');
  return isImported ? { url: replacement, shortCircuit: true } : nextResolve(specifier, context);
}
