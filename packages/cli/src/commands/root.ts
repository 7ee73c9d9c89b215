import { completionCommand, type Group, group } from '@trove/commands';

import { add } from './add.js';
import { ask } from './ask.js';
import { backup } from './backup.js';
import { cat } from './cat.js';
import { config } from './config.js';
import { consoleCommand } from './console.js';
import { connector } from './connector.js';
import { doctor } from './doctor.js';
import { evalCommand } from './eval.js';
import { explain } from './explain.js';
import { exportCommand } from './export.js';
import { graph } from './graph.js';
import { grep } from './grep.js';
import { head, tail } from './head-tail.js';
import { job } from './job.js';
import { login, logout } from './login.js';
import { mcp } from './mcp.js';
import { mv } from './mv.js';
import { open } from './open.js';
import { ls } from './ls.js';
import { profile } from './profile.js';
import { search } from './search.js';
import { serve } from './serve.js';
import { estimate, inspect, probe, remove } from './sources.js';
import { sourceDefinitions } from './source-definitions.js';
import { status } from './status.js';
import { symbols } from './symbols.js';
import { token } from './token.js';
import { tree } from './tree.js';
import type { Cli } from '../session/cli.js';

/** All commands, in the order of the help. */
export const root: Group<Cli> = group<Cli>(
  'trove',
  'Search, grep, list and read any source as one tree of files',
  [
    serve,
    add,
    search,
    ask,
    grep,
    symbols,
    evalCommand,
    graph,
    consoleCommand,
    mcp,
    open,
    explain,
    ls,
    tree,
    cat,
    head,
    tail,
    exportCommand,
    status,
    job,
    mv,
    remove,
    probe,
    estimate,
    inspect,
    connector,
    sourceDefinitions,
    config,
    backup,
    doctor,
    login,
    logout,
    profile,
    token,
    completionCommand('trove', 'commands, options, and the paths of sources'),
  ],
  [
    'First steps\n  trove serve start\n  trove add .\n  trove search "your question"\n  trove console',
  ],
);
