import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { halfOf } from './question-sets.mjs';

const kinds = ['how', 'why', 'what', 'where'];

/**
 * Returns the problems of question sets: malformed questions, and wanted passages that the repositories in `folder` do
 * not contain. A passage is at its lines, and one of them contains its quote.
 */
export async function problemsOf({ collections, sets }, folder) {
  const known = new Set(collections.map(({ name }) => name));
  const questions = sets.flatMap((set) => set.questions);
  const texts = new Map();
  const linesAt = (path) => {
    if (!texts.has(path)) texts.set(path, readLines(path));
    return texts.get(path);
  };
  const problems = repeatedIds(questions).map((id) => `${id}: this id occurs twice`);
  for (const question of questions) {
    const { id, collection, wanted } = question;
    problems.push(...malformed(question, known).map((problem) => `${id}: ${problem}`));
    for (const passage of wanted) {
      const lines = await linesAt(join(folder, collection, passage.path));
      const problem = passageProblem(passage, lines);
      if (problem !== null) problems.push(`${id}: ${problem}`);
    }
  }
  return problems;
}

function repeatedIds(questions) {
  const ids = questions.map(({ id }) => id);
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}

function malformed({ id, collection, language, kind, half, text, wanted }, known) {
  return [
    known.has(collection) ? null : `collections.json has no collection "${collection}"`,
    /^[a-z]{2}$/.test(language) ? null : `"${language}" is not a language code`,
    kinds.includes(kind) ? null : `"${kind}" is not one of ${kinds.join(', ')}`,
    half === halfOf(id) ? null : `its half must be "${halfOf(id)}"`,
    text.trim() === '' ? 'it has no text' : null,
    wanted.length === 0 ? 'it has no wanted passage' : null,
  ].filter((problem) => problem !== null);
}

function passageProblem({ path, lines: [first, last], quote }, lines) {
  const place = `${path}:${first}-${last}`;
  if (lines === null) return `${path} does not exist`;
  if (first < 1 || last < first || last > lines.length)
    return `${place} is outside the ${lines.length} lines of the file`;
  const isQuoted =
    quote !== '' && lines.slice(first - 1, last).some((line) => line.includes(quote));
  return isQuoted ? null : `${place} does not contain "${quote}"`;
}

async function readLines(path) {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : text.split('\n');
}
