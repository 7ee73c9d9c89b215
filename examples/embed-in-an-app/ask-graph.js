// Builds a graph from a folder and a note, and asks it: node ask-graph.js FOLDER "QUESTION" [HOME]
import { createTrove } from 'trove';

const graphName = 'notes';
const [folder = '.', question = 'Who designed what?', home] = process.argv.slice(2);

const trove = await createTrove(home === undefined ? {} : { home });
try {
  const { graph } = trove;
  // Replaces the graph once the new one is whole; what could not be loaded is named in `errors`.
  const built = await graph.importSources({ sources: [folder], graph_name: graphName });
  for (const error of built.errors) console.error(error);
  // Adds a document, or replaces the one of that id: nothing is extracted from the others again.
  await graph.upsertDocuments(graphName, {
    documents: ['Ada Lovelace worked with Charles Babbage.'],
    ids: ['note'],
    metadatas: [{ title: 'Note' }],
  });
  const { passage_count: passages, relation_count: relations } = await graph.stats(graphName);
  console.log(`${passages} passages, ${relations} relations`);

  const answer = await graph.query(graphName, { question, passage_top_k: 3 });
  console.log(`\n${answer.answer}`);
  for (const { subject, predicate, object } of answer.subgraph.relations) {
    console.log(`  ${subject} — ${predicate} → ${object}`);
  }
} finally {
  await trove.close();
}
