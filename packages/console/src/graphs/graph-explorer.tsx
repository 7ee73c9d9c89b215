import type { GraphQueryResponse } from '@trove/client';
import type { JSX } from 'preact';
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { useSession } from '../session-context.js';
import { useAction } from '../use-action.js';
import { EntityList } from './entity-list.js';
import { openGraphApi } from './graph-api.js';
import { GraphEntityView } from './graph-entity.js';
import { GraphGrowth, type EntityOrigin } from './graph-growth.js';
import { GraphPicture, loadDrawing } from './graph-picture.js';
import { GraphSteps } from './graph-steps.js';

/** The functions of the drawing for other parts of the page. */
export interface ExplorerHandle {
  /** Highlights the relations of a passage. */
  pointTo(passageId: string): void;
}

interface Props {
  readonly graph: string;
  readonly answer: GraphQueryResponse;
  readonly handle: { current: ExplorerHandle | null };
}

const maxNeighbors = 20;
const legend: readonly (readonly [EntityOrigin, string])[] = [
  ['named', 'named in the question'],
  ['found', 'found for it'],
  ['near', 'one step further'],
  ['far', 'more steps'],
  ['opened', 'opened by you'],
];

/** The part of the graph that explains an answer, with the neighbors that its reader opens. */
export function GraphExplorer({ graph, answer, handle }: Props): JSX.Element {
  const session = useSession();
  const growth = useMemo(() => new GraphGrowth(answer), [answer]);
  const [steps, setSteps] = useState(growth.steps.length);
  const [step, setStep] = useState(steps - 1);
  const [chosen, setChosen] = useState<string | null>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const picture = useRef<GraphPicture | null>(null);
  const { run, error } = useAction();
  const goTo = (next: number): void => {
    setStep(next);
    picture.current?.goTo(next);
  };
  const showAll = (): void => goTo(growth.steps.length - 1);
  const choose = (id: string): void => {
    const entity = growth.entities.get(id);
    if (entity === undefined) return;
    setChosen(id);
    showAll();
    picture.current?.choose(id);
    void run(async () => {
      const api = await openGraphApi(session);
      const parameters = { graph_name: graph, entity_id: id, limit: maxNeighbors };
      if (!growth.join(entity, await api.graphNeighbors(parameters))) return;
      picture.current?.grow(id);
      setSteps(growth.steps.length);
      showAll();
      picture.current?.choose(id);
    });
  };
  const latest = useRef(choose);
  latest.current = choose;
  useDrawing(canvas, picture, growth, (id) => latest.current(id));
  useImperativeHandle(handle, () => ({
    pointTo: (id) => {
      showAll();
      picture.current?.pointTo(id);
      section.current?.scrollIntoView({ block: 'nearest' });
    },
  }));
  const entities = [...growth.entities.values()];
  const entity = chosen === null ? undefined : growth.entities.get(chosen);
  return (
    <section class="card graph-picture" id="picture" ref={section} aria-labelledby="picture-title">
      <div class="page-head">
        <h2 id="picture-title">How the answer was found</h2>
        <span class="buttons" role="group" aria-label="View">
          <ViewButton text="−" label="Smaller" onClick={() => picture.current?.zoom(1 / 1.4)} />
          <ViewButton text="+" label="Larger" onClick={() => picture.current?.zoom(1.4)} />
          <ViewButton text="Fit" label="Fit" onClick={() => picture.current?.whole()} />
        </span>
      </div>
      <GraphSteps steps={growth.steps.slice(0, steps)} step={step} onStep={goTo} />
      <div
        id="canvas"
        ref={canvas}
        role="img"
        aria-label={`A drawing of ${entities.length} entities. The list below has the same entities.`}
      />
      <ul class="legend soft" aria-label="Colours">
        {legend
          .filter(([origin]) => entities.some((each) => each.origin === origin))
          .map(([origin, words]) => (
            <li key={origin} class={`origin-${origin}`}>
              {words}
            </li>
          ))}
      </ul>
      {error !== undefined && <Failure error={error} />}
      {entity !== undefined && (
        <GraphEntityView
          key={entity.id}
          graph={graph}
          entity={entity}
          relations={growth.relationsOf(entity.id)}
          onChoose={choose}
        />
      )}
      <EntityList entities={entities} onChoose={choose} />
    </section>
  );
}

interface ViewButtonProps {
  readonly text: string;
  readonly label: string;
  readonly onClick: () => void;
}

function ViewButton({ text, label, onClick }: ViewButtonProps): JSX.Element {
  return (
    <button type="button" class="small" aria-label={label} title={label} onClick={onClick}>
      {text}
    </button>
  );
}

/** Draws the graph while its canvas is on the page. */
function useDrawing(
  canvas: { current: HTMLElement | null },
  picture: { current: GraphPicture | null },
  growth: GraphGrowth,
  onChoose: (id: string) => void,
): void {
  useEffect(() => {
    let isOpen = true;
    const draw = async (): Promise<void> => {
      const library = await loadDrawing();
      if (!isOpen || canvas.current === null) return;
      picture.current = new GraphPicture(library, canvas.current, onChoose);
      picture.current.show(growth);
    };
    void draw();
    return () => {
      isOpen = false;
      picture.current?.close();
      picture.current = null;
    };
  }, [growth]);
}
