import { between, oneOf } from '@trove/test-support/random.js';

const VOCABULARY = 40_000;
const TOPICS = 200;
const TOPIC_WORDS = 150;
/** Words of a document that come from its topic: they repeat in it and are rare elsewhere. */
const TOPIC_SHARE = 0.15;
const ZIPF_EXPONENT = 1.05;
/** How often a word is followed by one of its usual followers, and how many of these it has. */
const FOLLOWER_SHARE = 0.65;
const FOLLOWERS = 24;

const COMMON = (
  'the of and to in a is that for it as was with be by on not he his but at are this have from or ' +
  'had an they which one you were all her she there would their we him been has when who will no ' +
  'more if out so up said what its about than into them can only other time new some could these'
).split(' ');
const STARTS = 'b c d f g h j k l l m m n n p r r s s t t v w br ch cl dr gr pl sh st tr'.split(
  ' ',
);
const VOWELS = 'a a a e e e e i i i o o o u u ea ou'.split(' ');
const ENDS = ['', '', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'ck'];
const SUFFIXES = ['', '', '', '', '', '', '', 's', 's', 'ed', 'ing', 'er', 'ion', 'ly'];

/**
 * Words as frequent and as long as those of real prose: the rank-th word's share falls with its rank (Zipf), frequent
 * words are short, and neighbours recur. `topic(n)` is a function that gives a word of a document on that topic.
 */
export function wordsFrom(random) {
  const vocabulary = vocabularyFrom(random);
  const slots = zipfSlots();
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: TOPIC_WORDS }, () => between(random, 300, VOCABULARY - 1)),
  );
  return {
    topics: TOPICS,
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
  if (pick < TOPIC_SHARE) return oneOf(random, topic);
  if (pick < TOPIC_SHARE + FOLLOWER_SHARE) return follower(random, slots, previous);
  return slots[Math.floor(random() * slots.length)];
}

/** One of the words that usually come after another one, the first of them most often. */
function follower(random, slots, rank) {
  const which = Math.floor(random() ** 2 * FOLLOWERS);
  const mixed = Math.imul(rank * FOLLOWERS + which + 1, 0x9e3779b1) >>> 0;
  return slots[Math.floor((mixed / 2 ** 32) * slots.length)];
}

function vocabularyFrom(random) {
  const words = new Set(COMMON);
  while (words.size < VOCABULARY) words.add(newWord(random, words.size));
  return [...words];
}

/** The rarer, the longer: one or two syllables for the first two thousand, two or three later. */
function newWord(random, rank) {
  const shortest = rank < 2000 ? 1 : 2;
  let word = '';
  for (let left = between(random, shortest, shortest + 1); left > 0; left--) {
    word += oneOf(random, STARTS) + oneOf(random, VOWELS) + oneOf(random, ENDS);
  }
  return word + oneOf(random, SUFFIXES);
}

/** Ranks by Zipf's law: each has as many slots as its share. */
function zipfSlots() {
  const slots = new Uint16Array(1 << 20);
  const weights = Array.from({ length: VOCABULARY }, (_, rank) => (rank + 2) ** -ZIPF_EXPONENT);
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
