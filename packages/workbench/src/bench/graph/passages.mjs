import { between, oneOf, randomFrom } from '@trove/test-support/random.js';
import { wordsFrom } from '../tree/words.mjs';

/** One in this many passages has a name that many others mention. */
const placesShare = 50;
const mentionCount = 6;
const sentenceWords = 9;
const predicates = [
  'was born in',
  'studied at',
  'founded',
  'lies near',
  'was written by',
  'led to',
];

/**
 * Generates `count` passages, each about one name. Its sentences mention other names, a few of them often, in words as
 * frequent as in real prose, and their statements are given as triplets. Also generates `questions`, each of which
 * needs two passages. The same seed gives the same result.
 */
export function generateGraph(count, questionCount, seed) {
  const random = randomFrom(seed);
  const words = wordsFrom(random);
  const next = words.topic(0);
  const names = namesFrom(random, next, count);
  const topics = Array.from({ length: words.topics }, (_, topic) => words.topic(topic));
  const passages = names.map((title, at) => {
    const word = oneOf(random, topics);
    const mentions = Array.from({ length: mentionCount }, () => mention(random, names));
    const triplets = mentions.map((name) => [title, oneOf(random, predicates), name]);
    const text = triplets
      .map(([subject, predicate, object], place) => {
        const tail = Array.from({ length: sentenceWords }, word).join(' ');
        return `${place === 0 ? subject : 'It'} ${predicate} ${object} ${tail}.`;
      })
      .join(' ');
    return { id: `p${at}`, title, text, triplets };
  });
  return { passages, questions: questionsFrom(random, passages, questionCount) };
}

function namesFrom(random, word, count) {
  const names = new Set();
  while (names.size < count) {
    const parts = Array.from({ length: between(random, 1, 2) + 1 }, () => capital(word()));
    names.add(parts.join(' '));
  }
  return [...names];
}

/** Half of the mentions are of a few places. */
function mention(random, names) {
  const places = Math.max(1, Math.floor(names.length / placesShare));
  if (random() < 0.5) return names[Math.floor(random() ** 2 * places)];
  return oneOf(random, names);
}

/** Returns questions about the content of a passage that another one mentions. */
function questionsFrom(random, passages, count) {
  const titled = new Map(passages.map((passage) => [passage.title, passage]));
  return Array.from({ length: count }, () => {
    const { title, triplets } = oneOf(random, passages);
    const [, predicate, object] = oneOf(random, triplets);
    const said = titled
      .get(object)
      .text.split(' ')
      .filter((word) => /^[a-z]{4,}$/.test(word));
    const asked = Array.from({ length: 3 }, () => oneOf(random, said)).join(' ');
    return `What ${asked} has to do with that which ${title} ${predicate}?`;
  });
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
