import type { GraphApi, GraphQueryResponse } from '@trove/client';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { navigate } from '../navigation.js';
import { Failure } from '../parts/failure.js';
import { counted } from '../parts/numbers.js';
import { hrefOf } from '../route.js';
import { useSession } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { openGraphApi } from './graph-api.js';
import { GraphAnswer } from './graph-answer.js';
import { GraphExamples } from './graph-examples.js';
import { GraphExplorer, type ExplorerHandle } from './graph-explorer.js';
import { GraphForm } from './graph-form.js';
import { GraphPassages } from './graph-passages.js';
import { graphHref, graphRequestOf, type GraphQuestion } from './graph-request.js';

/** A graph with the answer to the question of the address. */
export function GraphView({ question }: { readonly question: GraphQuestion }): JSX.Element {
  const session = useSession();
  const graph = useLoaded(
    async (signal) => describeGraph(await openGraphApi(session), question.graph, signal),
    [question.graph],
  );
  const href = graphHref(question);
  const asked = useLoaded(
    async (signal) => {
      if (question.question.trim() === '') return null;
      const api = await openGraphApi(session);
      const body = graphRequestOf(question);
      const response = await api.queryGraph({ graph_name: question.graph, body }, { signal });
      return { href, response };
    },
    [href],
  );
  const explorer = useRef<ExplorerHandle>(null);
  // The last answer belongs to another question while the next one is loading.
  const answer = asked.value?.href === href ? asked.value.response : null;
  const name = graph.value?.name ?? question.graph;
  return (
    <div class="page graph-page">
      <nav class="trail" aria-label="Path">
        <a href={hrefOf('graphs')}>Graphs</a>
      </nav>
      <h1>{name}</h1>
      {graph.error !== undefined && <Failure error={graph.error} />}
      {graph.value !== undefined && (
        <p class="card-facts soft" id="size">
          <span>{counted(graph.value.passages, 'passage')}</span>
          <span>{counted(graph.value.entities, 'entity', 'entities')}</span>
          <span>{counted(graph.value.relations, 'relation')}</span>
        </p>
      )}
      <GraphForm
        question={question}
        hasModel={graph.value?.hasModel === true}
        isAsking={question.question !== '' && asked.isLoading}
        onAsk={(next) => navigate(graphHref(next))}
        onStop={() => navigate(graphHref({ ...question, question: '' }))}
      />
      {asked.error !== undefined && !asked.isLoading && <Failure error={asked.error} />}
      {question.question === '' && graph.value !== undefined && (
        <GraphExamples graph={question.graph === '' ? graph.value.name : question.graph} />
      )}
      {answer !== null && <Answered key={href} graph={name} answer={answer} explorer={explorer} />}
    </div>
  );
}

interface AnsweredProps {
  readonly graph: string;
  readonly answer: GraphQueryResponse;
  readonly explorer: { current: ExplorerHandle | null };
}

function Answered({ graph, answer, explorer }: AnsweredProps): JSX.Element {
  return (
    <div class="graph-answered">
      <div>
        <GraphAnswer answer={answer} />
        <GraphPassages answer={answer} onPoint={(id) => explorer.current?.pointTo(id)} />
      </div>
      {answer.subgraph.entities.length > 0 && (
        <GraphExplorer graph={graph} answer={answer} handle={explorer} />
      )}
    </div>
  );
}

interface GraphDescription {
  readonly name: string;
  readonly passages: number;
  readonly entities: number;
  readonly relations: number;
  /** Whether a language model can rank passages. */
  readonly hasModel: boolean;
}

/** Throws if the graph does not exist. An empty name is the default graph. */
async function describeGraph(
  api: GraphApi,
  wanted: string,
  signal: AbortSignal,
): Promise<GraphDescription> {
  const [{ graphs }, settings] = await Promise.all([
    api.listGraphs({ signal }),
    api.graphSettings({ signal }),
  ]);
  const name = wanted === '' ? settings.default_graph : wanted;
  if (!graphs.some((each) => each.name === name))
    throw new Error(`The graph ${name} does not exist.`);
  const stats = await api.graphStats({ graph_name: name }, { signal });
  return {
    name,
    passages: stats.passage_count,
    entities: stats.entity_count,
    relations: stats.relation_count,
    hasModel: settings.llm_model !== 'rules',
  };
}
