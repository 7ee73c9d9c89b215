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
/** Aborts the question in progress. */
let asking = null;
/** The passages of the last answer. Others are fetched. */
let answered = { graph: '', passages: new Map() };
let defaultGraph = '';

/** Shows the graphs if the token is accepted. */
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
  if (graphs.length === 0) tell('No graphs yet. Build one: trove graph import PATH');
  else tell('');
}

/** Asks the question in the URL. */
async function readQuestion() {
  const request = readAddress();
  const graph = request.graph || defaultGraph;
  const names = [...at('#graph').options].map(({ value }) => value);
  if (names.includes(graph)) at('#graph').value = graph;
  at('#question').value = request.question;
  at('#passages-wanted').value = request.passage_top_k;
  at('#hops').value = request.expansion_degree;
  at('#filter').value = request.filter;
  at('#rerank').checked = request.use_reranking !== 'false';
  at('#options').open = [request.passage_top_k, request.expansion_degree, request.filter].some(
    Boolean,
  );
  await showSize();
  if (request.graph !== '' && !names.includes(graph)) tell(`The graph ${graph} does not exist.`);
  else if (request.question !== '') await ask();
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

/** Shows an error, and asks for the token if it is missing. */
function say(error, wasGiven = true) {
  if (!(error instanceof Unauthorized)) return tell(error.message);
  forgetToken();
  at('main').hidden = true;
  at('#sign-in').hidden = false;
  at('#token').focus();
  tell(wasGiven ? 'The server refuses this token.' : '');
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
