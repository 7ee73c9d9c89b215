import { writeFileSync } from 'node:fs';
import { connectorContext } from '@trove/testkit';

import { plugin, targetOf } from './folder.js';

/* Watches a folder below the system's limit of watches, and again after raising it. Prints the result of each watch. */

const [, , folder = ''] = process.argv;
const connector = await plugin.create(
  connectorContext({ config: { ignore: [] }, target: targetOf(folder) }),
);

async function watched(change: () => void): Promise<string> {
  const { signal } = new AbortController();
  try {
    for await (const path of connector.watch?.({ signal }) ?? []) {
      if (path === '') change();
      else return path;
    }
    return 'It ended.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const change = (): void => writeFileSync(`${folder}/29/a.md`, 'changed');
console.log(await watched(change));
writeFileSync('/proc/sys/user/max_inotify_watches', '1000');
console.log(await watched(change));
process.exit();
