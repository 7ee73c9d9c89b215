#!/usr/bin/env node
import { runCommandLine } from './commands/main.js';

const code = await runCommandLine(process.argv.slice(2));
if (code !== 0) process.exit(code);
