// npm run eval:questions -- FOLDER: asks the judged questions about the public repositories in FOLDER and counts how often
// the wanted passage comes first. See judged/README.md.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { textTable } from '../bench/report/table.mjs';
import { argumentsOf, refuse, savedRun } from './arguments.mjs';
import { compare } from './compare.mjs';
import { askQuestions } from './passages/ask-questions.mjs';
import { problemsOf } from './passages/check-questions.mjs';
import { fetchCollections } from './passages/fetch-collections.mjs';
import {
  changeHeader,
  groupRows,
  lossesOf,
  runRows,
  setRows,
  shareHeader,
} from './passages/passage-report.mjs';
import { readQuestionSets } from './passages/question-sets.mjs';
import { changeCells } from './report.mjs';

const ownSets = fileURLToPath(new URL('judged', import.meta.url));

const { positionals, values } = argumentsOf(
  {
    fetch: { type: 'boolean' },
    clones: { type: 'string' },
    check: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    sets: { type: 'string' },
    save: { type: 'string' },
    against: { type: 'string' },
  },
  'usage: npm run eval:questions -- FOLDER [--fetch [--clones DIR]] [--check] [--only SET]… [--sets DIR] [--save FILE] [--against FILE]\n' +
    '(FOLDER holds the repositories of judged/collections.json; --fetch writes them there, from DIR/OWNER/NAME if given)',
);
const before = values.against === undefined ? null : await savedRun(values.against);
const folder = resolve(positionals[0]);
const asked = await chosenSets();
if (values.fetch === true) {
  const clones = values.clones ?? null;
  await fetchCollections(asked.collections, folder, { clones, report: console.log }).catch(
    (error) => refuse(error.message),
  );
}
const problems = await problemsOf(asked, folder);
if (problems.length > 0)
  refuse(
    `${problems.length} problems in ${folder} (--fetch writes repositories)\n${problems.join('\n')}`,
  );
const count = asked.sets.reduce((total, { questions }) => total + questions.length, 0);
console.log(`${count} questions, all wanted passages exist`);
if (values.check !== true) await evaluate();

/** Returns the chosen question sets and the collections that they ask about. */
async function chosenSets() {
  const { collections, sets } = await readQuestionSets(resolve(values.sets ?? ownSets));
  const unknown = values.only?.find((name) => sets.every((set) => set.name !== name));
  if (unknown !== undefined)
    refuse(`no set "${unknown}", only ${sets.map(({ name }) => name).join(', ')}`);
  const chosen = sets.filter(({ name }) => values.only?.includes(name) ?? true);
  const used = new Set(chosen.flatMap(({ questions }) => questions.map((each) => each.collection)));
  return { collections: collections.filter(({ name }) => used.has(name)), sets: chosen };
}

async function evaluate() {
  const setOf = new Map(
    asked.sets.flatMap(({ name, questions }) => questions.map(({ id }) => [id, name])),
  );
  const answers = [];
  for (const { name } of asked.collections) {
    const questions = asked.sets.flatMap((set) =>
      set.questions.filter(({ collection }) => collection === name),
    );
    const started = performance.now();
    const { results, failures } = await askQuestions(join(folder, name), questions);
    answers.push(...results.map((result) => ({ ...result, set: setOf.get(result.question.id) })));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${name}: ${questions.length} questions in ${seconds} s, ${failures} failed files`);
  }
  const rows = [
    ...setRows(answers),
    ...groupRows(answers, 'collection'),
    ...groupRows(answers, 'kind'),
  ];
  console.log(`\n${textTable([shareHeader, ...rows])}`);
  console.log(`\nnot first in the tuning half\n\n${lossesOf(answers).join('\n')}`);
  const run = { rows: runRows(answers) };
  const changes = before === null ? [] : compare(before.rows, run.rows, 'reciprocal');
  if (changes.length > 0)
    console.log(`\n${textTable([changeHeader, ...changes.map(changeCells)])}`);
  if (values.save !== undefined) await writeFile(values.save, JSON.stringify(run));
}
