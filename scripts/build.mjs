// Builds every package in the order of their dependencies.
import { build } from './lib/build.mjs';

process.exitCode = await build();
