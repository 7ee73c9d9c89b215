import { between, oneOf } from '@trove/test-support/random.js';

const vocabularySize = 40_000;
const topicCount = 200;
const topicWords = 150;
/** The share of words from a document's topic. They repeat in it and are rare elsewhere. */
const topicShare = 0.15;
const zipfExponent = 1.05;
/** How often a word is followed by one of its usual followers, and their number. */
const followerShare = 0.65;
const followers = 24;

const common = (
  'the of and to in a is that for it as was with be by on not he his but at are this have from or ' +
  'had an they which one you were all her she there would their we him been has when who will no ' +
  'more if out so up said what its about than into them can only other time new some could these'
).split(' ');
const starts = 'b c d f g h j k l l m m n n p r r s s t t v w br ch cl dr gr pl sh st tr'.split(
  ' ',
);
const vowels = 'a a a e e e e i i i o o o u u ea ou'.split(' ');
const ends = ['', '', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'ck'];
const suffixes = ['', '', '', '', '', '', '', 's', 's', 'ed', 'ing', 'er', 'ion', 'ly'];

/**
 * Returns words as frequent and as long as in real prose: the share of a word falls with its rank (Zipf), frequent
 * words are short, and neighbours recur. `topic(n)` returns a function that yields the words of a document on that
 * topic.
 */
export function wordsFrom(random) {
  const vocabulary = vocabularyFrom(random);
  const slots = zipfSlots();
  const topics = Array.from({ length: topicCount }, () =>
    Array.from({ length: topicWords }, () => between(random, 300, vocabularySize - 1)),
  );
  return {
    topics: topicCount,
    topic(number) {
      let rank = 0;
      return () => {
        rank = nextRank(random, slots, topics[number], rank);
        return vocabulary[rank];
      };
    },
  };
}

function nextRank(random, slots, topic, previous) {
  const pick = random();
  if (pick < topicShare) return oneOf(random, topic);
  if (pick < topicShare + followerShare) return follower(random, slots, previous);
  return slots[Math.floor(random() * slots.length)];
}

/** Returns a usual follower of a word, the first one most often. */
function follower(random, slots, rank) {
  const which = Math.floor(random() ** 2 * followers);
  const mixed = Math.imul(rank * followers + which + 1, 0x9e3779b1) >>> 0;
  return slots[Math.floor((mixed / 2 ** 32) * slots.length)];
}

function vocabularyFrom(random) {
  const words = new Set(common);
  while (words.size < vocabularySize) words.add(newWord(random, words.size));
  return [...words];
}

/** Rarer words are longer: one or two syllables for the first two thousand, then two or three. */
function newWord(random, rank) {
  const shortest = rank < 2000 ? 1 : 2;
  let word = '';
  for (let left = between(random, shortest, shortest + 1); left > 0; left--) {
    word += oneOf(random, starts) + oneOf(random, vowels) + oneOf(random, ends);
  }
  return word + oneOf(random, suffixes);
}

/** Ranks by Zipf's law with slots in proportion to their share. */
function zipfSlots() {
  const slots = new Uint16Array(1 << 20);
  const weights = Array.from({ length: vocabularySize }, (_, rank) => (rank + 2) ** -zipfExponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let end = 0;
  let filled = 0;
  weights.forEach((weight, rank) => {
    end += weight;
    const until = Math.round((end / total) * slots.length);
    slots.fill(rank, filled, until);
    filled = until;
  });
  return slots;
}
