// Builds a graph from a folder and a note, then asks it a question: node ask-graph.js FOLDER "QUESTION" [HOME]
import { createTrove } from 'trove';

const graphName = 'notes';
const [folder = '.', question = 'Who designed what?', home] = process.argv.slice(2);

const trove = await createTrove(home === undefined ? {} : { home });
try {
  const { graph } = trove;
  // Replaces the graph after the new one is complete. `errors` names the files that could not be loaded.
  const built = await graph.importSources({ sources: [folder], graph_name: graphName });
  for (const error of built.errors) console.error(error);
  // Adds or replaces the document with this id. The other documents are not processed again.
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
