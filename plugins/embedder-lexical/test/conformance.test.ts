import { embedderCases } from '@trove/testkit';
import { suite } from 'uvu';

import { LexicalEmbedder } from '../src/lexical-embedder.js';

const test = suite('lexical embedder: conformance');

for (const each of embedderCases) {
  test(each.title, () => each.run({ create: async () => new LexicalEmbedder(512) }));
}

test.run();
