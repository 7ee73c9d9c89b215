import { basename } from 'node:path';

import type { Mailbox } from './mailbox.js';

export function titleOf({ folder, path }: Mailbox): string {
  return folder === '' ? basename(path) : folder;
}
