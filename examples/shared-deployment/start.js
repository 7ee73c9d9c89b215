// npm start [-- FOLDER "QUESTION"…] starts two servers, two workers and their shared services. It indexes
// FOLDER (default: the documentation of this repository), kills some of them meanwhile, and compares the
// results. It runs until interrupted.
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Deployment } from './deployment.js';
import { prove } from './prove.js';

const [folder = fileURLToPath(new URL('../../docs', import.meta.url)), ...asked] =
  process.argv.slice(2);
const questions = asked.length > 0 ? asked : ['how is a source added', 'worker', 'token'];
const target = resolve(process.env.INIT_CWD ?? '.', folder);

const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const deployment = await start();
if (deployment !== null) {
  try {
    await Promise.race([demonstrate().then(() => interrupted), interrupted]);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await deployment.stop();
  }
}
// Searches of an interrupted demonstration may still be running.
process.exit();

async function start() {
  console.log('Starting PostgreSQL, an object store, two servers and two workers …');
  try {
    return await Deployment.start({ servers: 2, workers: 2 });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    return null;
  }
}

async function demonstrate() {
  console.log(`Indexing ${target}; the workers and a server are killed meanwhile …`);
  const { objects, chunks, answered } = await prove(deployment, target, questions);
  console.log(
    `${objects} files, ${chunks} chunks; ${answered} searches were answered, none failed.`,
  );
  console.log('Each server finds what an undisturbed Trove finds.');
  console.log(`
Ask it yourself, until Ctrl-C ends all of it and removes what it holds:

  export TROVE_ENDPOINT=${deployment.url} TROVE_API_TOKEN=${deployment.token}
  npx trove search "${questions[0]}"`);
}
