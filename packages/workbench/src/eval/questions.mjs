import { randomFrom } from '@trove/test-support/random.js';

const minWordLength = 5;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const maxDefinitions = 200;
/** With fewer, a share is not meaningful. */
const minDefinitions = 10;
const definition =
  /^[ \t]*(?:(?:export|default|pub(?:\([a-z]+\))?|async|static|public|private|protected|abstract|final|override|unsafe) +)*(?:def|fn|func|fun|function|class|struct|enum(?:\s+(?:class|struct))?|trait|interface)\s+([A-Za-z_]\w{4,})/gm;

/** Returns the questions with one reproducible typing error in a word. Drops questions without a suitable word. */
export function mistypeQuestions(questions) {
  return questions.flatMap((question, at) => {
    const random = randomFrom(at + 1);
    const words = [...question.text.matchAll(/[a-z]+/gi)].filter(
      ([word]) => word.length >= minWordLength,
    );
    const match = words[Math.floor(random() * words.length)];
    if (match === undefined) return [];
    const [word] = match;
    const end = match.index + word.length;
    const text =
      question.text.slice(0, match.index) + mistypeWord(word, random) + question.text.slice(end);
    return [{ ...question, text }];
  });
}

/** People rarely mistype the first letter. */
function mistypeWord(word, random) {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = letters[Math.floor(random() * letters.length)];
  const [before, here, next] = [word.slice(0, at), word[at], word[at + 1]];
  const errors = [
    before + next + here + word.slice(at + 2),
    before + word.slice(at + 1),
    before + letter + word.slice(at),
    before + letter + word.slice(at + 1),
  ];
  const error = errors[Math.floor(random() * errors.length)];
  return error === word ? before + word.slice(at + 1) : error;
}

/** Returns names that one document defines and others use. The name is the question, and its definition the answer. */
export function definitionsIn(documents) {
  const definedIn = new Map();
  for (const { id, text } of documents) {
    for (const [, name] of text.matchAll(definition)) {
      definedIn.set(name, (definedIn.get(name) ?? new Set()).add(String(id)));
    }
  }
  const usedIn = new Map();
  for (const { text } of documents) {
    for (const name of new Set(text.match(/[A-Za-z_]\w{4,}/g))) {
      if (definedIn.has(name)) usedIn.set(name, (usedIn.get(name) ?? 0) + 1);
    }
  }
  const names = [...definedIn]
    .filter(([name, ids]) => ids.size === 1 && (usedIn.get(name) ?? 0) > 1)
    .map(([name, ids]) => ({ name, id: [...ids][0] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (names.length < minDefinitions) return { questions: [], grades: new Map() };
  const step = Math.max(1, names.length / maxDefinitions);
  const some = names.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return {
    questions: some.map(({ name }) => ({ id: name, text: name })),
    grades: new Map(some.map(({ name, id }) => [name, new Map([[id, 1]])])),
  };
}
