import { writeFileSync } from 'node:fs';
import { connectorContext } from '@trove/testkit';

import { plugin, targetOf } from './folder.js';

/*
 * Watches a folder with a low limit of watches, and again after the limit is raised. Prints the first result of each watch
 * and the report of a change.
 */

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
