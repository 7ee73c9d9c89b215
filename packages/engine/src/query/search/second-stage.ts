import { messageOf, TroveError } from '@trove/core';
import { createToken } from '@trove/core/di';
import {
  openReranker,
  RerankService,
  type CallCounts,
  type SharedServices,
  type PluginEnvironment,
  type RerankLimits,
} from '@trove/runtime';
import type { ResultEnvelope } from '../../api/schemas.js';
import type { Ranker } from './ranker.js';
import { ProblemLog } from '../../generations/maintenance/problem-log.js';
import { createLanguageModelReranker } from './language-model-reranker.js';

/** The provider that ranks with the configured language model. */
export const languageModelProvider = 'llm';

/** Characters of a hit that a model reads. Chunks of the default size are shorter. */
const maxChars = 4000;
const defaults = { window: 20, timeoutMs: 3000, concurrency: 4 } as const;

export interface RerankOptions {
  /** The name of a reranker plugin, or `llm` for the language model. */
  readonly provider: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Number of best hits to rerank, 2 to 100. Default 20. */
  readonly window?: number;
  /** Time limit of a call, default 3,000. After a timeout, the hits keep their order. */
  readonly timeoutMs?: number;
  /** Maximum number of concurrent calls, default 4. */
  readonly concurrency?: number;
}

/** The second stage of a search: a model reorders the best hits. */
export interface SecondStage {
  readonly ranker: Ranker;
  readonly counts: CallCounts;
}

/** The token of the second stage in an engine's container; null: none is configured. */
export const SecondStageToken = createToken<SecondStage | null>('engine.second_stage');

/** Throws if the plugin cannot be opened or the language model accepts no prompts. */
export async function openSecondStage(
  opening: PluginEnvironment,
  { provider, config = {}, ...overrides }: RerankOptions,
  languageModel: SharedServices['languageModel'],
): Promise<SecondStage> {
  const { window, ...limits } = { ...defaults, ...overrides };
  const service =
    provider === languageModelProvider
      ? await openLanguageModelReranker(opening, limits, languageModel)
      : await openReranker(opening, { provider, config, ...limits });
  const problem = new ProblemLog(opening.logger, {
    started: 'hits are not reranked and keep their order',
    ended: 'hits are reranked again',
  });
  const rank: Ranker['rank'] = async (hits, { q, signal }) => {
    try {
      const ranks = await service.rerank(q, hits.map(textOf), signal);
      problem.update(null);
      return ranks;
    } catch (error) {
      signal.throwIfAborted();
      problem.update(messageOf(error));
      return null;
    }
  };
  return {
    ranker: { window, rank },
    get counts() {
      return service.counts;
    },
  };
}

async function openLanguageModelReranker(
  { signal }: PluginEnvironment,
  limits: RerankLimits,
  open: SharedServices['languageModel'],
): Promise<RerankService> {
  const model = await open();
  if (model.acceptsPrompts)
    return new RerankService(createLanguageModelReranker(model), limits, signal);
  throw new TroveError(
    'config_invalid',
    'rerank: the provider `llm` needs a language model that accepts prompts',
    { suggestions: ['Set `[llm].provider` to `openai` or `ollama`.'] },
  );
}

function textOf({ content, metadata: { title } }: ResultEnvelope): string {
  return `${title === null ? '' : `${title}\n`}${content}`.slice(0, maxChars).toWellFormed();
}
