// Comments, messages, test titles and pages are plain English, after a proof that planted phrases are counted. The list of
// phrases is a rough measure of a text, so a share of them is allowed; one sentence is never judged by itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pages } from '../lib/documentation.mjs';
import { proseOf } from '../lib/prose.mjs';
import { report } from '../lib/report.mjs';
import { sourceFiles } from '../lib/source-files.mjs';
import { root } from '../lib/workspaces.mjs';

const maxPer10000Words = 15;
const shownFiles = 10;

/** Phrases that read like a translation, and pronouns in place of the subject. */
const phrases = [
  /\bwho(?:m)?ever\b/gi,
  /\bnobody(?:'s)?\b/gi,
  /\bwho (?:asks?|reads?|waits?|writes?|removes?|listens?|comes?|needs?|calls?|opens?|wants?|sends?)\b/g,
  /\bbe it\b/gi,
  /\bso (?:many|much|long|few|often)\b(?! (?:that|as))/gi,
  /\bas (?:it|they) (?:is|are|was|were|stands?)\b/gi,
  /\banew\b/gi,
  /\bwhat (?:is|was|has|had|it|they|comes?|follows?|remains?|belongs?|does|did|must|may|cannot)\b/g,
  /\bthose (?:that|who|of)\b/gi,
  /\bthat there (?:is|are|was|were)\b/gi,
  /\bnothing else\b/gi,
  /\b(?:is|are) to be (?:had|known|told)\b/gi,
  /\b(?:tells?|told) of\b/gi,
  /\bsays? so\b/gi,
  /\bwhatever (?:it|is|was|they)\b/gi,
  /\bgives? way\b/gi,
  /\bleft alone\b/gi,
  /^Of (?:a|an|the|what|those|each)\b/gm,
];

const planted = {
  'page.md': 'Whoever asks anew is told of nothing else.\n',
  'program.ts': "// Whoever asks anew.\nthrow new Error('the caller is told of nothing else');\n",
};
const problems = Object.entries(planted).flatMap(([name, text]) =>
  countPhrases(proseOf(name, text)) === 4 ? [] : [`the phrases planted in a ${name} are not found`],
);

const files = [
  ...sourceFiles(['src', 'test'], ['.ts', '.mjs']),
  ...pages().map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') })),
].filter(({ name }) => !name.startsWith('docs/benchmarks/'));
const counts = files.map(({ name, text }) => {
  const prose = proseOf(name, text);
  return { name, words: prose.match(/[A-Za-z']+/g)?.length ?? 0, found: countPhrases(prose) };
});
const words = sum(counts.map((count) => count.words));
const found = sum(counts.map((count) => count.found));
const rate = (found / words) * 10_000;
console.log(`${rate.toFixed(1)} odd phrases per 10,000 of ${words} words; the most are in:`);
for (const { name, found: of } of counts
  .toSorted((one, other) => other.found - one.found)
  .slice(0, shownFiles))
  console.log(`${String(of).padStart(4)} ${name}`);
if (rate > maxPer10000Words)
  problems.push(`${rate.toFixed(1)} odd phrases per 10,000 words, ${maxPer10000Words} are allowed`);
report('prose', files.length, 'files', problems);

function countPhrases(text) {
  return sum(phrases.map((phrase) => text.match(phrase)?.length ?? 0));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
