import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { splitCommand } from './command-words.js';

/** A command that runs longer has opened the page. */
const browserStartMs = 3000;

/** Opens a URL in the user's browser. Returns true if a browser probably started. */
export async function openBrowser(
  address: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  for (const words of browserCommands(address, env, platform)) {
    if (await canStart(words, env)) return true;
  }
  return false;
}

/** Returns commands that open a URL, best first; empty without a display. */
export function browserCommands(
  address: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string[][] {
  const [chosen] = (env['BROWSER'] ?? '').split(delimiter).filter((each) => each !== '');
  if (chosen !== undefined) return [withAddress(splitCommand(chosen), address)];
  if (platform === 'darwin') return [['open', address]];
  const windows = ['rundll32.exe', 'url.dll,FileProtocolHandler', address];
  if (platform === 'win32') return [windows];
  if (env['WSL_DISTRO_NAME']) return [['wslview', address], windows];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? [['xdg-open', address]] : [];
}

/** Replaces `%s` with the URL, or appends it. */
function withAddress(words: readonly string[], address: string): string[] {
  const placed = words.map((word) => word.replaceAll('%s', () => address));
  return words.some((word) => word.includes('%s')) ? placed : [...placed, address];
}

async function canStart([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: 'ignore', detached: true });
  const patience = new AbortController();
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  try {
    return await Promise.race([
      ended,
      setTimeout(browserStartMs, true, { signal: patience.signal }),
    ]);
  } finally {
    patience.abort();
    child.unref();
  }
}
