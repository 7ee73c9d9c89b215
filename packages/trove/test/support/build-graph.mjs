import { createTrove } from 'trove';

/** Builds a graph of old texts, reports that, and rebuilds it from new texts until it is killed. */
const [home, graph] = process.argv.slice(2);
const trove = await createTrove({ home });
const texts = (word) => ({
  documents: Array.from({ length: 500 }, (_, n) => `The ${word} text number ${n}.`),
  triplets: Array.from({ length: 500 }, (_, n) => [[`${word} ${n}`, 'is a', 'text']]),
});
const began = performance.now();
await trove.graph.addDocuments(graph, texts('old'));
process.send({ tookMs: performance.now() - began });
await trove.graph.addDocuments(graph, texts('new'));
await trove.close();
