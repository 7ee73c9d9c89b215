import type { GraphApi, GraphStats } from '@trove/client';
import type { JSX } from 'preact';
import { CopiedCommand } from '../parts/copied-command.js';
import { Failure } from '../parts/failure.js';
import { counted } from '../parts/numbers.js';
import { usePermissions, useSession } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { openGraphApi } from './graph-api.js';
import { graphHref, simpleQuestion } from './graph-request.js';

/** The knowledge graphs of the server. */
export function GraphList(): JSX.Element {
  const session = useSession();
  const { value, error } = useLoaded(async (signal) => {
    const api = await openGraphApi(session);
    const { graphs } = await api.listGraphs({ signal });
    return Promise.all(graphs.map(({ name }) => statsOf(api, name, signal)));
  }, []);
  return (
    <div class="page">
      <h1>Graphs</h1>
      <p class="soft">
        A knowledge graph holds the statements of documents, such as “Ada worked with Charles”. It
        answers questions that need several documents, and cites the passages.
      </p>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <p class="soft">Reading …</p>}
      {value?.length === 0 && <NoGraph />}
      <ul class="cards">
        {(value ?? []).map((graph) => (
          <GraphCard key={graph.graph_name} graph={graph} />
        ))}
      </ul>
    </div>
  );
}

function NoGraph(): JSX.Element {
  const { mayManage, seesAll } = usePermissions();
  if (!seesAll)
    return (
      <p class="notice">
        A graph may contain texts of all sources. Your token sees only some of them, so it sees no
        graph.
      </p>
    );
  if (!mayManage)
    return <p class="notice">There is no graph yet. An administrator can build one.</p>;
  return (
    <>
      <p>There is no graph yet. Build one from a folder or a source:</p>
      <CopiedCommand label="Command line" text="trove graph import ./docs" />
    </>
  );
}

function statsOf(api: GraphApi, name: string, signal: AbortSignal): Promise<GraphStats> {
  return api.graphStats({ graph_name: name }, { signal });
}

function GraphCard({ graph }: { readonly graph: GraphStats }): JSX.Element {
  const { graph_name: name, entity_count, relation_count, passage_count } = graph;
  return (
    <li class="card">
      <h2>
        <a href={graphHref(simpleQuestion(name))}>{name}</a>
      </h2>
      <p class="card-facts soft">
        <span>{counted(entity_count, 'entity', 'entities')}</span>
        <span>{counted(relation_count, 'relation')}</span>
        <span>{counted(passage_count, 'passage')}</span>
      </p>
    </li>
  );
}
