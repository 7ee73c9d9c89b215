// npm run quickstart [-- PATH "QUESTION"]: installs and builds if needed, starts a server with its own home, indexes
// PATH (default: this repository) and asks QUESTION.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runNode } from './lib/run.mjs';
import { root } from './lib/workspaces.mjs';

const quickstartHome = join(root, '.trove-quickstart');
const defaultQuestion = 'how do I write a connector?';

const [target = root, question = defaultQuestion] = process.argv.slice(2);
const path = target.includes('://') ? target : resolve(process.env.INIT_CWD ?? root, target);

process.exitCode = await quickstart().catch((error) => {
  console.error(error.message);
  return 1;
});

async function quickstart() {
  if (path.includes('://') || existsSync(path)) return (await prepare()) || demonstrate();
  console.error(`There is no file or folder ${path}.`);
  return 2;
}

async function prepare() {
  step('1/4  Installing and building (the first time takes a few minutes)');
  return (await ensureInstalled()) || build({ quiet: true });
}

async function demonstrate() {
  step('2/4  Starting a server');
  const { startServer } = await import('./lib/server.mjs');
  const server = await startServer(quickstartHome);
  console.log(`${server.endpoint}, its data in ${relative(root, quickstartHome)}/`);
  try {
    const trove = (...args) =>
      runNode('packages/cli/bin/trove.js', args, { env: server.environment });
    step(`3/4  Indexing ${path}`);
    // The command names what it could not index. The rest can be searched.
    await trove('add', path);
    step(`4/4  Searching: ${question}`);
    const { code: searched } = await trove('search', '--top-k', '5', question, path);
    if (process.stdin.isTTY && process.stdout.isTTY) {
      console.log('\nSearch, read and add sources in your browser:');
      await trove('console');
      console.log('\nPress Enter to stop the server.');
      await inputLine();
    }
    if (searched === 0) console.log(nextSteps());
    return searched;
  } finally {
    await server.stop();
  }
}

async function inputLine() {
  await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')]);
  process.stdin.pause();
}

function step(title) {
  console.log(`\n${title}`);
}

function nextSteps() {
  return `
The server is stopped again; the index stays in ${relative(root, quickstartHome)}/. To go on by yourself:

  npx trove serve start           start a server with its home in ~/.trove
  npx trove console               print a link to its page for your browser
  npx trove add PATH              index a folder
  npx trove search "QUESTION"     ask
  npx trove --help                everything else

  npm run quickstart -- PATH "QUESTION"     this demonstration on your own files
`;
}
