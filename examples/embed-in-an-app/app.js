// A small app that answers questions about a folder: node app.js FOLDER "QUESTION" [HOME]
import { createTrove } from 'trove';

const [folder = '.', question = 'how do I start?', home] = process.argv.slice(2);

// `home` is the folder of the index. Default: ~/.trove.
const trove = await createTrove(home === undefined ? {} : { home });
try {
  // `process: true` waits until everything is indexed. A second run only reads changed files.
  const { job_id } = await trove.add({ target: folder, process: true });
  const job = await trove.job(job_id);
  console.log(`${job.added} added, ${job.changed} changed, ${job.unchanged} unchanged`);

  const { results } = await trove.search({ q: question, path: folder, top_k: 3, collapse: true });
  for (const { source, locator, score } of results) {
    console.log(`\n${source}  (${score?.toFixed(2)})`);
    // The locator of a hit selects its part of the object, which `cat` reads from the source.
    const { content } = await trove.cat({ path: source, locator: JSON.stringify(locator) });
    console.log(content.trim().split('\n').slice(0, 3).join('\n'));
  }
} finally {
  await trove.close();
}
