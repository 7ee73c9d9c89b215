import type cytoscape from 'cytoscape';
import type { DrawnEntity, DrawnRelation, GraphGrowth } from './graph-growth.js';
import { pictureStyle } from './picture-style.js';

const motion = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');
/** In larger drawings, only relations of the selected entity have names. */
const maxNamedRelations = 40;
const animationMs = 400;
/** Maximum zoom factor for a selection. */
const maxSelectionZoom = 1.4;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

type DrawingLibrary = typeof cytoscape;

/** Loads the library for the first drawing. */
export async function loadDrawing(): Promise<DrawingLibrary> {
  return (await import('cytoscape')).default;
}

/** Draws a growing graph and reports the selected entity. */
export class GraphPicture {
  readonly #cy: cytoscape.Core;
  #growth: GraphGrowth | null = null;
  readonly #restyle = (): void => void this.#cy.style(pictureStyle());

  constructor(library: DrawingLibrary, container: HTMLElement, onChoose: (id: string) => void) {
    this.#cy = library({ container, maxZoom: 2.5, minZoom: 0.05, style: pictureStyle() });
    this.#cy.on('tap', 'node', ({ target }) => onChoose(String(target.data('entity'))));
    dark.addEventListener('change', this.#restyle);
  }

  close(): void {
    dark.removeEventListener('change', this.#restyle);
    this.#cy.destroy();
  }

  /** Draws another graph completely. */
  show(growth: GraphGrowth): void {
    this.#cy.elements().remove();
    this.#growth = growth;
    this.#add(growth, { x: 0, y: 0 });
  }

  /** Adds new elements around an entity. */
  grow(id: string): void {
    if (this.#growth !== null) this.#add(this.#growth, this.#nodeOf(id).position());
  }

  /** Shows the graph after a step. */
  goTo(step: number): void {
    const isLast = step === (this.#growth?.steps.length ?? 0) - 1;
    this.#cy.batch(() => {
      this.#cy.elements().forEach((element) => {
        const own = Number(element.data('step'));
        element.toggleClass('later', own > step);
        element.toggleClass('new', !isLast && step > 0 && own === step);
      });
    });
  }

  choose(id: string): void {
    this.#cy.elements(':selected').unselect();
    const node = this.#nodeOf(id);
    node.select();
    this.#point(node.closedNeighborhood());
    this.#lookAt(node.closedNeighborhood());
  }

  /** Highlights the relations of a passage. */
  pointTo(passageId: string): void {
    const stated = this.#cy.edges().filter((edge) => isListed(edge.data('passages'), passageId));
    this.#point(stated.union(stated.connectedNodes()));
    this.#lookAt(stated.connectedNodes());
  }

  whole(): void {
    this.#point(this.#cy.collection());
    this.#lookAt(this.#cy.elements());
  }

  zoom(factor: number): void {
    const middle = { x: this.#cy.width() / 2, y: this.#cy.height() / 2 };
    this.#cy.zoom({ level: this.#cy.zoom() * factor, renderedPosition: middle });
  }

  #nodeOf(id: string): cytoscape.CollectionReturnValue {
    return this.#cy.getElementById(`e ${id}`);
  }

  #lookAt(elements: Pick<cytoscape.Collection, 'boundingBox'>): void {
    const { x1, y1, w, h } = elements.boundingBox();
    const zoom = Math.min(
      maxSelectionZoom,
      (this.#cy.width() - 60) / w,
      (this.#cy.height() - 60) / h,
    );
    const pan = {
      x: this.#cy.width() / 2 - zoom * (x1 + w / 2),
      y: this.#cy.height() / 2 - zoom * (y1 + h / 2),
    };
    this.#cy.stop();
    if (motion.matches) this.#cy.viewport({ zoom, pan });
    else this.#cy.animate({ zoom, pan }, { duration: animationMs });
  }

  #point(elements: cytoscape.Collection): void {
    this.#cy.batch(() => {
      this.#cy.elements().removeClass('lit aside');
      if (elements.empty()) return;
      elements.addClass('lit');
      this.#cy.elements().not(elements).addClass('aside');
    });
  }

  #add({ entities, relations }: GraphGrowth, center: cytoscape.Position): void {
    const known = this.#cy.nodes();
    const isNew = (id: string): boolean => this.#cy.getElementById(id).empty();
    const nodes = [...entities.values()].filter(({ id }) => isNew(`e ${id}`));
    const edges = [...relations.values()].filter(({ id }) => isNew(`r ${id}`));
    const degrees = degreesOf(relations.values());
    this.#cy.add([
      ...nodes.map((entity, index) => nodeFor(entity, degrees, spiral(center, index))),
      ...edges.map(edgeFor),
    ]);
    this.#cy.edges().toggleClass('labelled', relations.size <= maxNamedRelations);
    this.#arrange(known, entities.size);
  }

  /** Lays out only new elements. The others keep their positions. */
  #arrange(known: cytoscape.NodeCollection, count: number): void {
    known.lock();
    this.#cy
      .layout({
        name: 'cose',
        randomize: false,
        animate: false,
        fit: known.empty(),
        padding: 30,
        nodeDimensionsIncludeLabels: true,
        idealEdgeLength: () => 110,
        nodeRepulsion: () => 300_000,
        componentSpacing: 60,
        gravity: 1,
        numIter: Math.round(100_000 / Math.max(100, count)),
      })
      .run();
    known.unlock();
  }
}

function nodeFor(
  { id, name, step, origin }: DrawnEntity,
  degrees: ReadonlyMap<string, number>,
  position: cytoscape.Position,
): cytoscape.ElementDefinition {
  const data = { id: `e ${id}`, entity: id, name, step, degree: degrees.get(id) ?? 0 };
  return { group: 'nodes', classes: origin, data, position };
}

function edgeFor(relation: DrawnRelation): cytoscape.ElementDefinition {
  const { id, entity_ids: ends, predicate, passage_ids: passages, step } = relation;
  const [source = '', target = ''] = ends;
  const data = { id: `r ${id}`, source: `e ${source}`, target: `e ${target}` };
  return { group: 'edges', data: { ...data, predicate, passages, step } };
}

function degreesOf(relations: Iterable<DrawnRelation>): Map<string, number> {
  const degrees = new Map<string, number>();
  for (const { entity_ids: ends } of relations) {
    for (const id of ends) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  return degrees;
}

/** Returns positions around a center that do not overlap and are always the same. */
function spiral({ x, y }: cytoscape.Position, index: number): cytoscape.Position {
  const radius = 70 * Math.sqrt(index + 0.5);
  const angle = index * goldenAngle;
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
}

function isListed(values: unknown, searched: string): boolean {
  return Array.isArray(values) && values.includes(searched);
}
