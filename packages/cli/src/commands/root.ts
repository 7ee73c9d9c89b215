import { type Group, group } from '../framework/command.js';
import { add } from './add.js';
import { cat } from './cat.js';
import { exportCommand } from './export.js';
import { grep } from './grep.js';
import { head, tail } from './head-tail.js';
import { job } from './job.js';
import { open } from './open.js';
import { ls } from './ls.js';
import { search } from './search.js';
import { serve } from './serve.js';
import { estimate, inspect, probe, remove } from './sources.js';
import { status } from './status.js';
import { tree } from './tree.js';

/** Every command, in the order of the help. */
export const root: Group = group(
  'trove',
  'Search, grep, list and read any source as one tree of files',
  [
    serve,
    add,
    search,
    grep,
    open,
    ls,
    tree,
    cat,
    head,
    tail,
    exportCommand,
    status,
    job,
    remove,
    probe,
    estimate,
    inspect,
  ],
  ['First steps\n  trove serve start\n  trove add .\n  trove search "what you look for"'],
);
