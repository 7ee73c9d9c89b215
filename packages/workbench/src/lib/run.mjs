import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { root } from './workspaces.mjs';

/**
 * Runs a program in the root folder and waits for its end. With `capture` returns its output (`stdout`, and `output`
 * with stderr mixed in). Otherwise the output goes to this process's own. Rejects if the program cannot start, because
 * a missing tool must not look like a clean result.
 */
function run(command, args, { capture = false, env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    });
    let stdout = '';
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code: code ?? 1, signal, stdout, output });
    });
  });
}

/** Runs a JavaScript file with the current Node. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [join(root, file), ...args], options);
}

/** Runs the command line of an installed tool with the current Node. */
export function runTool(file, args = [], options = {}) {
  return runNode(join('node_modules', file), args, options);
}

/** Runs npm. On Windows its launcher is a script that needs a shell. */
export function runNpm(args, options = {}) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return run(process.execPath, [cli, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}

/** Maps `items` with at most `width` concurrent calls. Results keep the order of the items. */
export async function mapLimited(items, width, work) {
  const results = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
