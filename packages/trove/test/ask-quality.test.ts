import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove, type Trove } from '../src/index.js';
import {
  documents,
  measuredQuestions,
  tuningQuestions,
  type QuestionSet,
} from './support/ask-collection.js';

/*
 * Decides for labelled questions whether the documents answer them. The thresholds were chosen with one set of
 * questions. The other set was written at the same time and measures them.
 */

const test = suite('quality of answers without a language model');
let root: string;
let trove: Trove;

test.before(async () => {
  root = await mkdtemp(join(tmpdir(), 'trove-ask-'));
  for (const [path, text] of Object.entries(documents)) {
    const file = join(root, 'docs', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  trove = await createTrove({ home: join(root, 'home') });
  await trove.add({ target: join(root, 'docs'), process: true });
});
test.after(async () => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

interface Quality {
  /** Share of the answers that quote the expected text. */
  readonly precision: number;
  /** Share of the answerable questions that are answered with the expected text. */
  readonly recall: number;
  readonly mistakes: readonly string[];
}

async function measure({ answerable, unanswerable }: QuestionSet): Promise<Quality> {
  const mistakes: string[] = [];
  let answered = 0;
  let correct = 0;
  for (const { question, path, quote } of answerable) {
    const { found, citations, answer } = await trove.ask({ question });
    if (found) answered++;
    const isCorrect = citations.some(
      (each) =>
        each.source.endsWith(`/${path}`) && each.quote.replaceAll(/\s+/g, ' ').includes(quote),
    );
    if (isCorrect) correct++;
    else mistakes.push(`${question} ${answer}`);
  }
  for (const question of unanswerable) {
    const { found, answer } = await trove.ask({ question });
    if (!found) continue;
    answered++;
    mistakes.push(`${question} ${answer}`);
  }
  return { precision: correct / answered, recall: correct / answerable.length, mistakes };
}

for (const [name, questions] of [
  ['tuning', tuningQuestions],
  ['measured', measuredQuestions],
] as const) {
  test(`finds answers and says when there is none (${name} questions)`, async () => {
    assert.ok(questions.answerable.length >= 15 && questions.unanswerable.length >= 15);
    const { precision, recall, mistakes } = await measure(questions);
    console.log(`${name}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`);
    assert.ok(precision >= 0.95, mistakes.join('\n'));
    assert.ok(recall >= 0.85, mistakes.join('\n'));
  });
}

test.run();
