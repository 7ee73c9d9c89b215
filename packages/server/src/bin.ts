#!/usr/bin/env node
import { runCommandLine } from './commands/main.js';

// Databases and an index may be outside the home, and must not be readable by others either.
process.umask(0o077);
const code = await runCommandLine(process.argv.slice(2));
if (code !== 0) process.exit(code);
