import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { progress } from './progress.mjs';
import { mapLimited, runNode } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

const parallel = 2;

/** Returns the names of the checks, as in `npm run check:NAME`, in the order of package.json. */
function checkNames() {
  const { scripts } = readJson(join(root, 'package.json'));
  return Object.keys(scripts).flatMap((name) => /^check:(\w+)$/.exec(name)?.[1] ?? []);
}

/** Runs every check and prints its outcome. Returns `{ passed, failed }`. */
export async function runChecks() {
  const names = checkNames();
  assertAllListed(names);
  let done = 0;
  const outcomes = await mapLimited(names, parallel, async (name) => {
    const started = performance.now();
    const { code, output } = await runNode(`packages/workbench/src/checks/${name}.mjs`, [], {
      capture: true,
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    done++;
    console.log(
      `${progress(done, names.length)} ${code === 0 ? 'ok     ' : 'FAILED '} check:${name}  ${seconds} s`,
    );
    console.log(output.trimEnd().replace(/^/gm, '        '));
    return code === 0;
  });
  const passed = outcomes.filter(Boolean).length;
  return { passed, failed: names.length - passed };
}

/** A check in the folder without a script in package.json would never run. */
function assertAllListed(names) {
  const unlisted = readdirSync(join(root, 'packages/workbench/src/checks'))
    .map((file) => file.replace(/\.mjs$/, ''))
    .filter((name) => !names.includes(name));
  if (names.length === 0 || unlisted.length > 0) {
    throw new Error(`package.json has no script check:${unlisted.join(', check:') || 'NAME'}`);
  }
}
