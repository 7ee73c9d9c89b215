import { at, counted, make } from './elements.js';
import { listEntities, showEntity } from './entities.js';
import { Growth } from './growth.js';
import { Picture } from './picture.js';

const maxNeighbors = 20;
const stepPauseMs = 1200;
const kinds = [
  ['named', 'named in the question'],
  ['found', 'found for it'],
  ['near', 'one hop further'],
  ['far', 'more hops'],
  ['opened', 'opened by you'],
];

/** The subgraph of an answer, step by step, with the neighbors that its reader opens. */
export class Explorer {
  #server;
  #openPassage;
  #say;
  #picture = null;
  #growth = null;
  #graph = '';
  #timer = 0;

  /** `openPassage` receives ids, `say` receives error messages. */
  constructor(server, { openPassage, say }) {
    this.#server = server;
    this.#openPassage = openPassage;
    this.#say = say;
    at('#step').addEventListener('input', () => this.#goTo(Number(at('#step').value)));
    at('#earlier').addEventListener('click', () => this.#goTo(Number(at('#step').value) - 1));
    at('#later').addEventListener('click', () => this.#goTo(Number(at('#step').value) + 1));
    at('#play').addEventListener('click', () => this.#play());
    at('#find').addEventListener('input', () => this.#list());
    at('#whole').addEventListener('click', () => this.#picture.whole());
    at('#larger').addEventListener('click', () => this.#picture.zoom(1.4));
    at('#smaller').addEventListener('click', () => this.#picture.zoom(1 / 1.4));
  }

  /** Shows the subgraph of an answer. */
  async show(graph, response) {
    this.#stop();
    const growth = new Growth(response);
    at('#entity').hidden = true;
    at('#picture').hidden = growth.entities.size === 0;
    if (growth.entities.size === 0) return;
    this.#picture ??= await Picture.in(at('#canvas'), (id) => void this.choose(id));
    [this.#graph, this.#growth] = [graph, growth];
    this.#picture.show(growth);
    this.#describe();
    this.#showAll();
  }

  /** Selects an entity and fetches its neighbors. */
  async choose(id) {
    const growth = this.#growth;
    const entity = growth.entities.get(id);
    this.#stop();
    this.#showEntity(entity);
    try {
      const found = await this.#server.call('graphNeighbors', {
        params: { graph_name: this.#graph, entity_id: id },
        query: { limit: maxNeighbors },
      });
      if (growth !== this.#growth || !growth.join(entity, found)) return;
      this.#picture.grow(id);
      this.#describe();
      this.#showEntity(entity);
    } catch (error) {
      this.#say(error);
    }
  }

  /** Highlights the relations of a passage. */
  pointTo(passageId) {
    this.#stop();
    this.#showAll();
    this.#picture.pointTo(passageId);
    at('#picture').scrollIntoView({ block: 'nearest' });
  }

  #showEntity(entity) {
    this.#showAll();
    this.#picture.choose(entity.id);
    showEntity(entity, this.#growth.relationsOf(entity.id), {
      choose: (id) => void this.choose(id),
      openPassage: (id) => this.#openPassage(id),
    });
  }

  #showAll() {
    this.#picture.all();
    this.#tell(this.#growth.steps.length - 1);
  }

  #goTo(step) {
    if (step < 0 || step >= this.#growth.steps.length) return;
    this.#picture.goTo(step);
    this.#tell(step);
  }

  #tell(step) {
    const { steps } = this.#growth;
    const slider = at('#step');
    slider.max = `${steps.length - 1}`;
    slider.value = `${step}`;
    slider.setAttribute('aria-valuetext', steps[step]);
    slider.disabled = steps.length === 1;
    at('#earlier').disabled = step === 0;
    at('#later').disabled = step === steps.length - 1;
    at('#play').disabled = steps.length === 1;
    at('#step-text').textContent = `Step ${step + 1} of ${steps.length} · ${steps[step]}`;
  }

  #describe() {
    const { entities, relations } = this.#growth;
    const counts = `${counted(entities.size, 'entity', 'entities')} and ${counted(relations.size, 'relation')}`;
    at('#canvas').setAttribute('aria-label', `A drawing of ${counts}. The list below names them.`);
    const there = new Set([...entities.values()].map(({ kind }) => kind));
    const items = kinds
      .filter(([kind]) => there.has(kind))
      .map(([kind, words]) => make('li', { class: kind }, words));
    at('#legend').replaceChildren(...items);
    this.#list();
  }

  #list() {
    listEntities([...this.#growth.entities.values()], (id) => void this.choose(id));
  }

  #play() {
    if (this.#timer !== 0) return this.#stop();
    at('#play').textContent = 'Stop';
    this.#goTo(0);
    this.#timer = setInterval(() => {
      const next = Number(at('#step').value) + 1;
      if (next < this.#growth.steps.length) this.#goTo(next);
      if (next >= this.#growth.steps.length - 1) this.#stop();
    }, stepPauseMs);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    at('#play').textContent = 'Play';
  }
}
