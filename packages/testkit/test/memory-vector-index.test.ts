import { suite } from 'uvu';
import { MemoryVectorIndex, MemoryVectorStorage } from '../src/memory/memory-vector-index.js';
import { vectorIndexCases } from '../src/vector-index/index.js';

const test = suite('memory vector index');

for (const { id, title, run } of vectorIndexCases) {
  test(`${id}: ${title}`, () => {
    const storage = new MemoryVectorStorage();
    return run({ open: () => Promise.resolve(new MemoryVectorIndex(storage)) });
  });
}

test.run();
