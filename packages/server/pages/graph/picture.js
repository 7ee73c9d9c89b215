const motion = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');
/**
 * Maximum number of relations with visible names. In larger drawings, only relations of the selected entity
 * have names.
 */
const maxNamedRelations = 40;
const animationMs = 400;
/** Maximum zoom factor for a selection. */
const maxSelectionZoom = 1.4;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** Draws a growing graph and reports the selected entity. */
export class Picture {
  #cy;
  #growth = null;

  /** The library is loaded before the first drawing. */
  static async in(container, onChoose) {
    const { default: cytoscape } = await import('./cytoscape.js');
    return new Picture(cytoscape, container, onChoose);
  }

  constructor(cytoscape, container, onChoose) {
    this.#cy = cytoscape({ container, maxZoom: 2.5, minZoom: 0.05, style: styleNow() });
    this.#cy.on('tap', 'node', ({ target }) => onChoose(target.data('entity')));
    dark.addEventListener('change', () => this.#cy.style(styleNow()));
  }

  /** Draws another graph completely. */
  show(growth) {
    this.#cy.elements().remove();
    this.#growth = growth;
    this.#add({ x: 0, y: 0 });
  }

  /** Adds new elements around an entity. */
  grow(id) {
    this.#add(this.#cy.getElementById(`e ${id}`).position());
  }

  /** Shows the current graph. */
  all() {
    this.#cy.elements().removeClass('later new');
  }

  /** Shows the graph after a step. */
  goTo(step) {
    this.#cy.batch(() => {
      this.#cy.elements().forEach((element) => {
        element.toggleClass('later', element.data('step') > step);
        element.toggleClass('new', step > 0 && element.data('step') === step);
      });
    });
  }

  choose(id) {
    this.#cy.elements(':selected').unselect();
    const node = this.#cy.getElementById(`e ${id}`);
    node.select();
    this.#point(node.closedNeighborhood());
    this.#lookAt(node.closedNeighborhood());
  }

  /** Highlights the relations of a passage. */
  pointTo(passageId) {
    const stated = this.#cy.edges().filter((edge) => edge.data('passages').includes(passageId));
    this.#point(stated.union(stated.connectedNodes()));
    this.#lookAt(stated.connectedNodes());
  }

  whole() {
    this.#point(this.#cy.collection());
    this.#lookAt(this.#cy.elements());
  }

  zoom(factor) {
    const middle = { x: this.#cy.width() / 2, y: this.#cy.height() / 2 };
    this.#cy.zoom({ level: this.#cy.zoom() * factor, renderedPosition: middle });
  }

  #lookAt(elements) {
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

  #point(elements) {
    this.#cy.batch(() => {
      this.#cy.elements().removeClass('lit aside');
      if (elements.empty()) return;
      elements.addClass('lit');
      this.#cy.elements().not(elements).addClass('aside');
    });
  }

  #add(center) {
    const { entities, relations } = this.#growth;
    const known = this.#cy.nodes();
    const isNew = (id) => this.#cy.getElementById(id).empty();
    const nodes = [...entities.values()].filter(({ id }) => isNew(`e ${id}`));
    const edges = [...relations.values()].filter(({ id }) => isNew(`r ${id}`));
    const degrees = degreesOf(relations.values());
    this.#cy.add([
      ...nodes.map((entity, index) => nodeOf(entity, degrees, spiral(center, index))),
      ...edges.map(edgeOf),
    ]);
    this.#cy.edges().toggleClass('labelled', relations.size <= maxNamedRelations);
    this.#arrange(known);
  }

  /** Lays out only new elements. The others keep their positions. */
  #arrange(known) {
    const { size } = this.#growth.entities;
    known.lock();
    this.#cy
      .layout({
        name: 'cose',
        randomize: false,
        animate: false,
        fit: known.empty(),
        padding: 30,
        nodeDimensionsIncludeLabels: true,
        idealEdgeLength: () => 90,
        nodeRepulsion: () => 200_000,
        componentSpacing: 60,
        gravity: 1,
        numIter: Math.round(100_000 / Math.max(100, size)),
      })
      .run();
    known.unlock();
  }
}

function nodeOf(entity, degrees, position) {
  const { id, name, step, kind } = entity;
  const data = { id: `e ${id}`, entity: id, name, step, degree: degrees.get(id) ?? 0 };
  return { group: 'nodes', classes: kind, data, position };
}

function edgeOf({ id, entity_ids: [source, target], predicate, passage_ids: passages, step }) {
  const ends = { source: `e ${source}`, target: `e ${target}` };
  return { group: 'edges', data: { id: `r ${id}`, ...ends, predicate, passages, step } };
}

function degreesOf(relations) {
  const degrees = new Map();
  for (const { entity_ids: ends } of relations) {
    for (const id of ends) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  return degrees;
}

/** Returns positions around a center that do not overlap and are always the same. */
function spiral({ x, y }, index) {
  const radius = 60 * Math.sqrt(index + 0.5);
  const angle = index * goldenAngle;
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
}

/** Returns the style in the colours of the page. */
function styleNow() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const kinds = ['named', 'found', 'near', 'far', 'opened'].map((kind) => ({
    selector: `.${kind}`,
    style: { 'background-color': color(kind) },
  }));
  return [
    {
      selector: 'node',
      style: {
        label: 'data(name)',
        width: 'mapData(degree, 0, 20, 16, 44)',
        height: 'mapData(degree, 0, 20, 16, 44)',
        color: color('ink'),
        'font-family': 'system-ui, sans-serif',
        'font-size': 'mapData(degree, 0, 20, 12, 24)',
        'min-zoomed-font-size': 7,
        'text-valign': 'bottom',
        'text-margin-y': 3,
        'text-wrap': 'ellipsis',
        'text-max-width': '240px',
        'text-outline-width': 2,
        'text-outline-color': color('panel'),
      },
    },
    ...kinds,
    { selector: '.named', style: { 'font-size': 18, 'font-weight': 'bold' } },
    { selector: 'node.lit', style: { 'min-zoomed-font-size': 0 } },
    {
      selector: 'edge',
      style: {
        width: 1.5,
        'line-color': color('line'),
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'target-arrow-color': color('line'),
        'arrow-scale': 0.8,
        color: color('soft'),
        'font-family': 'system-ui, sans-serif',
        'font-size': 10,
        'min-zoomed-font-size': 7,
        'text-rotation': 'autorotate',
        'text-wrap': 'ellipsis',
        'text-max-width': '110px',
        'text-outline-width': 2,
        'text-outline-color': color('panel'),
      },
    },
    { selector: 'edge.labelled, edge.lit', style: { label: 'data(predicate)' } },
    { selector: '.new', style: { 'border-width': 3, 'border-color': color('accent') } },
    {
      selector: 'edge.new, edge.lit',
      style: { 'line-color': color('soft'), 'target-arrow-color': color('soft') },
    },
    {
      selector: 'node:selected',
      style: { 'border-width': 4, 'border-color': color('accent'), 'font-weight': 'bold' },
    },
    { selector: '.aside', style: { opacity: 0.25 } },
    { selector: '.later', style: { display: 'none' } },
  ];
}
