/** A search model of a server on this machine. */
export interface LocalModel {
  readonly id: string;
  /** The section of server.toml for this model. */
  readonly section: 'embedding' | 'rerank';
}

/** A model server that people run on their own machine. */
export interface ModelServer {
  readonly name: string;
  /** The provider name in server.toml. */
  readonly provider: string;
  /** The URL that lists the models, on the default port. */
  readonly url: string;
  /** Extracts the search models from the answer, which may have any form. */
  readonly models: (answer: unknown) => readonly LocalModel[];
}

export interface DetectedModel extends LocalModel {
  readonly server: Pick<ModelServer, 'name' | 'provider'>;
}

const timeoutMs = 1000;
const maxAnswerChars = 1_000_000;
/** Lists of models state no purpose, so the name decides. */
const embeddingNames = /embed|bge|minilm|\be5\b|gte|arctic/i;
const rerankerNames = /rerank/i;
/** Other programs may listen on these ports, so model names are checked. */
const modelName = /^[\w.:@/+-]{1,200}$/;

export const modelServers: readonly ModelServer[] = [
  openAiServer('Ollama', 'ollama', 11434),
  openAiServer('LM Studio', 'lmstudio', 1234),
  openAiServer('vLLM', 'vllm', 8000),
  {
    name: 'Text Embeddings Inference',
    provider: 'tei',
    url: 'http://127.0.0.1:8080/info',
    models: parseModelInfo,
  },
];

function openAiServer(name: string, provider: string, port: number): ModelServer {
  return { name, provider, url: `http://127.0.0.1:${port}/v1/models`, models: parseModelList };
}

/** Returns one search model per answering server. Waits at most one second for each. */
export async function detectModels(
  servers: readonly ModelServer[] = modelServers,
): Promise<DetectedModel[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      const models = server.models(await fetchJson(server.url));
      const first = models.find(({ id }) => modelName.test(id));
      return first === undefined ? [] : [{ ...first, server }];
    }),
  );
  return found.flat();
}

/** Parses the answer of `GET /v1/models`. */
function parseModelList(answer: unknown): LocalModel[] {
  const data = member(answer, 'data');
  if (!Array.isArray(data)) return [];
  return data
    .map((each) => member(each, 'id'))
    .filter((id) => typeof id === 'string')
    .filter((id) => embeddingNames.test(id) && !rerankerNames.test(id))
    .map((id) => ({ id, section: 'embedding' }));
}

/** Parses the answer of `GET /info` of Text Embeddings Inference, which serves one model. */
function parseModelInfo(answer: unknown): LocalModel[] {
  const id = member(answer, 'model_id');
  const type = member(answer, 'model_type');
  if (typeof id !== 'string') return [];
  if (member(type, 'embedding') !== undefined) return [{ id, section: 'embedding' }];
  return member(type, 'reranker') === undefined ? [] : [{ id, section: 'rerank' }];
}

/** Returns the JSON at a URL, or undefined on any failure. */
async function fetchJson(url: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: 'error', signal });
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.length > maxAnswerChars) return undefined;
    }
    return response.ok ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
