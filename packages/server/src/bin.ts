#!/usr/bin/env node
import { runCommandLine } from './commands/main.js';

// Databases and an index may lie outside the home: they too are for nobody else to read.
process.umask(0o077);
const code = await runCommandLine(process.argv.slice(2));
if (code !== 0) process.exit(code);
