import {
  forgetToken,
  keepToken,
  keptToken,
  readAddress,
  takePass,
  writeAddress,
} from './address.js';
import { at, counted, make } from './elements.js';
import { Explorer } from './explorer.js';
import { showAnswer, showPassages } from './passages.js';
import { Server, Unauthorized } from './server.js';
import { showSource } from './source.js';

const server = new Server();
const explorer = new Explorer(server, { openPassage, say });
/** Of the question that is being answered. */
let asking = null;
/** The passages of the last answer; others are fetched. */
let answered = { graph: '', passages: new Map() };
let defaultGraph = '';

/** Shows the graphs to whoever has the token. */
async function enter(token) {
  try {
    await server.open(token);
    keepToken(token);
    await showGraphs();
  } catch (error) {
    say(error, token !== '');
    return;
  }
  at('#sign-in').hidden = true;
  at('main').hidden = false;
  await readQuestion();
}

async function showGraphs() {
  const [{ graphs }, settings] = await Promise.all([
    server.call('listGraphs'),
    server.call('graphSettings'),
  ]);
  defaultGraph = settings.default_graph;
  at('#graph').replaceChildren(...graphs.map(({ name }) => make('option', { value: name }, name)));
  at('#choice').hidden = graphs.length === 0;
  at('#rerank').closest('label').hidden = settings.llm_model === 'rules';
  if (graphs.length === 0) tell('There is no graph yet. Build one: trove graph import PATH');
  else tell('');
}

/** Asks what the address says. */
async function readQuestion() {
  const asked = readAddress();
  const graph = asked.graph || defaultGraph;
  const names = [...at('#graph').options].map(({ value }) => value);
  if (names.includes(graph)) at('#graph').value = graph;
  at('#question').value = asked.question;
  at('#passages-wanted').value = asked.passage_top_k;
  at('#hops').value = asked.expansion_degree;
  at('#filter').value = asked.filter;
  at('#rerank').checked = asked.use_reranking !== 'false';
  at('#options').open = [asked.passage_top_k, asked.expansion_degree, asked.filter].some(Boolean);
  await showSize();
  if (asked.graph !== '' && !names.includes(graph)) tell(`There is no graph ${graph}.`);
  else if (asked.question !== '') await ask();
  else at('#question').focus();
}

async function showSize() {
  const graph = at('#graph').value;
  if (graph === '') return;
  try {
    const stats = await server.call('graphStats', { params: { graph_name: graph } });
    const { passage_count: passages, entity_count: entities, relation_count: relations } = stats;
    at('#size').textContent = [
      counted(passages, 'passage'),
      counted(entities, 'entity', 'entities'),
      counted(relations, 'relation'),
    ].join(', ');
  } catch (error) {
    say(error);
  }
}

async function ask() {
  asking?.abort();
  const own = new AbortController();
  asking = own;
  tell('');
  waiting(true);
  const graph = at('#graph').value;
  try {
    const response = await server.call('queryGraph', {
      query: { graph_name: graph },
      body: bodyOf(),
      signal: own.signal,
    });
    if (own !== asking) return;
    answered = {
      graph,
      passages: new Map(response.retrieved_passages.map((each) => [each.id, each])),
    };
    document.title = `${response.question.slice(0, 60)} · Trove`;
    showAnswer(response);
    showPassages(response, {
      open: (passage) => void showSource(passage, server),
      point: (id) => explorer.pointTo(id),
    });
    await explorer.show(graph, response);
  } catch (error) {
    if (!own.signal.aborted) say(error);
  } finally {
    if (own === asking) waiting(false);
  }
}

function bodyOf() {
  const passages = at('#passages-wanted').value;
  const hops = at('#hops').value;
  const filter = at('#filter').value.trim();
  return {
    question: at('#question').value.trim(),
    use_reranking: at('#rerank').checked,
    ...(passages === '' ? {} : { passage_top_k: Number(passages) }),
    ...(hops === '' ? {} : { expansion_degree: Number(hops) }),
    ...(filter === '' ? {} : { filter }),
  };
}

async function openPassage(id) {
  try {
    const { graph, passages } = answered;
    const passage =
      passages.get(id) ??
      (await server.call('getDocument', {
        params: { document_id: id },
        query: { graph_name: graph },
      }));
    await showSource(passage, server);
  } catch (error) {
    say(error);
  }
}

function waiting(isWaiting) {
  at('#send').textContent = isWaiting ? 'Stop' : 'Ask';
  at('main').setAttribute('aria-busy', `${isWaiting}`);
}

/** Tells what went wrong, and asks for the token when that is what is missing. */
function say(error, wasGiven = true) {
  if (!(error instanceof Unauthorized)) return tell(error.message);
  forgetToken();
  at('main').hidden = true;
  at('#sign-in').hidden = false;
  at('#token').focus();
  tell(wasGiven ? 'The server does not accept this token, or not any more.' : '');
}

function tell(text) {
  at('#problem').textContent = text;
  at('#problem').hidden = text === '';
}

at('#sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  void enter(at('#token').value.trim());
});

at('#ask').addEventListener('submit', (event) => {
  event.preventDefault();
  if (at('#send').textContent === 'Stop') {
    asking.abort();
    return waiting(false);
  }
  const { question, ...options } = bodyOf();
  if (question === '') return;
  writeAddress({
    graph: at('#graph').value,
    question,
    passage_top_k: `${options.passage_top_k ?? ''}`,
    expansion_degree: `${options.expansion_degree ?? ''}`,
    filter: options.filter ?? '',
    use_reranking: options.use_reranking ? '' : 'false',
  });
  void ask();
});

at('#question').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  at('#ask').requestSubmit();
});

at('#graph').addEventListener('change', () => void showSize());
at('#close').addEventListener('click', () => at('#source').close());
addEventListener('popstate', () => void (takePass() ? enter(keptToken()) : readQuestion()));
takePass();
void enter(keptToken());
