import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { splitCommand } from './command-words.js';

/** What still runs after this long shows the page. */
const browserStartMs = 3000;

/** Opens an address in the browser of whoever sits here. The answer is whether there is one, as far as can be told. */
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

/** Commands that open an address, the best first; none where nobody could see what they open. */
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

/** In place of `%s`, or at the end. */
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
