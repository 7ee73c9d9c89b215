import type { GraphApi } from '@trove/client';
import type { JSX } from 'preact';
import { useSession } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { questionsOf } from './example-questions.js';
import { openGraphApi } from './graph-api.js';
import { graphHref, simpleQuestion } from './graph-request.js';

const maxExamples = 3;
const sampledDocuments = 20;

/** Questions that the graph can answer, made from its relations. */
export function GraphExamples({ graph }: { readonly graph: string }): JSX.Element | null {
  const session = useSession();
  const { value } = useLoaded(
    async (signal) => examplesOf(await openGraphApi(session), graph, signal),
    [graph],
  );
  if (value === undefined || value.length === 0) return null;
  return (
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Example questions</h2>
      <ul class="examples">
        {value.map((question) => (
          <li key={question} dir="auto">
            <a href={graphHref(simpleQuestion(graph, question))}>{question}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function examplesOf(
  api: GraphApi,
  graph: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = { graph_name: graph, top_k: sampledDocuments };
  const { documents } = await api.listDocuments(request, { signal });
  const ids = [...new Set(documents.flatMap(({ entity_ids: [first] }) => first ?? []))];
  const neighborhoods = await Promise.all(
    ids
      .slice(0, maxExamples)
      .map((id) => api.graphNeighbors({ graph_name: graph, entity_id: id, limit: 5 }, { signal })),
  );
  const questions = neighborhoods.flatMap(({ relations }) => questionsOf(relations));
  return [...new Set(questions)].slice(0, maxExamples);
}
