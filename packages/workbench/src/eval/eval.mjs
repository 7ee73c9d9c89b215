import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { textTable } from '../bench/report/table.mjs';
import { argumentsOf, collectionsIn, savedRun } from './arguments.mjs';
import { findCollections, readCollection } from './collections.mjs';
import { compare } from './compare.mjs';
import { writeDocuments } from './documents.mjs';
import { index, withServer } from './indexed-server.mjs';
import { judge, mean } from './metrics.mjs';
import { definitionsIn, mistypeQuestions } from './questions.mjs';
import { cellsOf, changeCells, changeHeader, header, writeReport } from './report.mjs';
import { meanOf } from './significance.mjs';

const modes = ['hybrid', 'semantic', 'keyword'];
const depth = 10;

const { positionals, values } = argumentsOf(
  {
    index: { type: 'string' },
    save: { type: 'string' },
    against: { type: 'string' },
    report: { type: 'string' },
  },
  'usage: npm run eval -- DIR… [--index URI] [--save FILE] [--against FILE] [--report FILE]\n' +
    '(each DIR holds corpus.jsonl, queries.jsonl and qrels.tsv, or folders that do; --save keeps a run, which --against compares with)',
);
const before = values.against === undefined ? null : await savedRun(values.against);
const files = 'corpus.jsonl, queries.jsonl and qrels.tsv';
const collections = await collectionsIn(positionals, findCollections, files);
const run = { rows: [], twins: [] };
for (const collection of collections) {
  const { rows, twins } = await evaluate(collection);
  run.rows.push(...rows);
  run.twins.push(twins);
  console.log(`${textTable([header, ...rows.map(cellsOf)])}\n`);
}
const changes = before === null ? [] : compare(before.rows, run.rows);
if (changes.length > 0) console.log(textTable([changeHeader, ...changes.map(changeCells)]));
if (values.save !== undefined) await writeFile(values.save, JSON.stringify(run));
if (values.report !== undefined) writeReport(values.report, run, changes);

/** Indexes a collection on a separate server and asks all its questions in each mode. */
async function evaluate(path) {
  const collection = basename(path);
  return withServer(async ({ call, work }) => {
    const { documents, questions, grades } = await readCollection(path);
    const folder = join(work, 'documents');
    const ids = await writeDocuments(documents, folder);
    await index(call, folder);
    const idOf = (source) => ids.get(decodeURIComponent(source).split(`${folder}/`)[1]) ?? '';
    const sets = [
      { set: 'judged', questions, grades },
      { set: 'mistyped', questions: mistypeQuestions(questions), grades },
      { set: 'definitions', ...definitionsIn(documents) },
    ].filter((each) => each.questions.length > 0);
    const rows = [];
    const repeats = [];
    for (const { set, questions: asked, grades: judged } of sets) {
      for (const mode of modes) {
        const figures = [];
        for (const { id, text } of asked) {
          const { ranking, repeats: isRepeating } = await answer(call, text, mode, idOf);
          figures.push({ id: String(id), ...judge(ranking, judged.get(String(id))) });
          if (set === 'judged' && mode === 'hybrid') repeats.push(isRepeating ? 1 : 0);
        }
        rows.push({ collection, set, mode, mean: mean(figures), figures });
      }
    }
    const doubles = documents.length - new Set(documents.map(({ text }) => text)).size;
    const twins = { collection, documents: documents.length, doubles, repeating: meanOf(repeats) };
    return { rows, twins };
  }, configure);
}

/** Returns the ids of the found documents, best first, and whether a text occurs twice. */
async function answer(call, text, mode, idOf) {
  const query = new URLSearchParams({ q: text, mode, top_k: String(depth), collapse: 'true' });
  const { results } = await call('GET', `/v1/search?${query}`);
  // Documents with the same text are one hit.
  const sources = results.flatMap(({ source, metadata }) => [source, ...metadata.also]);
  return {
    ranking: sources.slice(0, depth).map(idOf),
    repeats: new Set(results.map(({ content }) => content)).size < results.length,
  };
}

/** Runs share a persistent index such as a database, so each gets its own namespace. */
async function configure(home) {
  if (values.index === undefined) return;
  await mkdir(home);
  const namespace = `eval-${randomUUID()}`;
  const settings = [
    `namespace = "${namespace}"`,
    '[index]',
    `uri = ${JSON.stringify(values.index)}`,
  ];
  await writeFile(join(home, 'server.toml'), settings.join('\n'));
}
