import { createTrove } from 'trove';

/** Runs the jobs of a home with the given settings until it is killed. */
const [home, settings] = process.argv.slice(2);
const trove = await createTrove({ home, settings: JSON.parse(settings) });
trove.startWorker();
setInterval(() => {}, 60_000);
