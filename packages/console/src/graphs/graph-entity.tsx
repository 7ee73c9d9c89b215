import type { GraphDocument } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { counted } from '../parts/numbers.js';
import { useSession } from '../session-context.js';
import { useAction } from '../use-action.js';
import { openGraphApi } from './graph-api.js';
import type { DrawnEntity, DrawnRelation } from './graph-growth.js';
import { PassageLinks } from './passage-links.js';
import { PassageText } from './passage-text.js';
import { titleOf } from './passage-source.js';

interface Props {
  readonly graph: string;
  readonly entity: DrawnEntity;
  readonly relations: readonly DrawnRelation[];
  readonly onChoose: (id: string) => void;
}

const maxFacts = 30;

/** The relations of an entity, whose other ends are links, and the passages that mention it. */
export function GraphEntityView({ graph, entity, relations, onChoose }: Props): JSX.Element {
  const session = useSession();
  const [passage, setPassage] = useState<GraphDocument | null>(null);
  const { run, error } = useAction();
  const open = (id: string): void =>
    void run(async () => {
      const api = await openGraphApi(session);
      setPassage(await api.getDocument({ document_id: id, graph_name: graph }));
    });
  return (
    <section class="graph-entity" id="entity" aria-live="polite">
      <h3 dir="auto">{entity.name}</h3>
      <p class="soft">
        {counted(relations.length, 'relation')} here; in passages{' '}
        {entity.passage_ids.map((id, index) => (
          <button
            key={id}
            type="button"
            class="cite"
            aria-label={`Passage ${index + 1} that mentions it`}
            onClick={() => open(id)}
          >
            {index + 1}
          </button>
        ))}
      </p>
      <ul class="facts-list">
        {relations.slice(0, maxFacts).map((relation) => (
          <li key={relation.id} dir="auto">
            <Statement relation={relation} entity={entity} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {error !== undefined && <Failure error={error} />}
      {passage !== null && (
        <div class="card opened-passage">
          <h4>{titleOf(passage)}</h4>
          <PassageText passage={passage} quoted={[]} />
          <div class="buttons">
            <PassageLinks key={passage.id} passage={passage} />
            <button type="button" class="small" onClick={() => setPassage(null)}>
              Close
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

interface StatementProps {
  readonly relation: DrawnRelation;
  readonly entity: DrawnEntity;
  readonly onChoose: (id: string) => void;
}

function Statement({ relation, entity, onChoose }: StatementProps): JSX.Element {
  const { entity_ids: ends, subject, predicate, object } = relation;
  const [from = '', to = ''] = ends;
  const isSubject = from === entity.id;
  const link = (
    <button type="button" class="link" onClick={() => onChoose(isSubject ? to : from)}>
      {isSubject ? object : subject}
    </button>
  );
  return isSubject ? (
    <>
      {subject} <em>{predicate}</em> {link}
    </>
  ) : (
    <>
      {link} <em>{predicate}</em> {object}
    </>
  );
}
