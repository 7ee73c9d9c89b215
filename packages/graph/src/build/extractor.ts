import { isTroveError, type Logger } from '@trove/core';
import { TokenBudget } from '@trove/runtime';
import { askForTriplets } from '../model/extraction.js';
import { isProviderError, type GraphModel, type GraphModels } from '../model/model.js';
import type { Triplet, TripletOrigin } from '../retrieval/types.js';

/** Maximum number of consecutive provider failures. Then the model is not asked again. */
const maxFailures = 5;
/** Errors that every further passage would cause too. */
const permanentErrorCodes: ReadonlySet<string> = new Set([
  'llm_budget_exceeded',
  'llm_auth_failed',
  'llm_quota_exceeded',
]);

interface ExtractionText {
  readonly title: string | null;
  readonly text: string;
}

export interface Extraction {
  readonly triplets: readonly Triplet[];
  readonly origin: TripletOrigin;
}

/** Extracts the triplets of one build with the primary model. Uses the fallback if that fails. */
export class Extractor {
  readonly #models: GraphModels;
  readonly #tokenBudget: TokenBudget;
  readonly #logger: Logger;
  readonly #warn: (problem: string) => void;
  #failures = 0;
  /** Passages that the fallback read. */
  #readByFallback = 0;
  /** Passages that no model could read. */
  #unread = 0;
  #lastReason = '';

  /** `warn` receives warnings for the caller. */
  constructor(
    models: GraphModels,
    maxTokens: number,
    logger: Logger,
    warn: (problem: string) => void,
  ) {
    this.#models = models;
    this.#tokenBudget = new TokenBudget(maxTokens);
    this.#logger = logger;
    this.#warn = warn;
  }

  async extract(source: ExtractionText, signal: AbortSignal): Promise<Extraction> {
    const { primary, fallback } = this.#models;
    const models = [this.#failures < maxFailures ? primary : null, fallback];
    for (const model of models) {
      if (model === null) continue;
      try {
        const extraction = await this.#extractWith(model, source, signal);
        if (model !== primary) this.#readByFallback++;
        // Requests that started earlier may still succeed.
        else if (this.#failures < maxFailures) this.#failures = 0;
        return extraction;
      } catch (error) {
        signal.throwIfAborted();
        this.#recordFailure(error);
      }
    }
    this.#unread++;
    return { triplets: [], origin: 'rules' };
  }

  /** Warns about passages that the fallback read or no model could read. */
  reportWarnings(): void {
    if (this.#readByFallback > 0) {
      const howFar = this.#failures < maxFailures ? 'failed' : 'is unavailable';
      this.#warn(
        `Rules extracted the triplets of ${this.#readByFallback} passages, because the language model ${howFar}: ${this.#lastReason}`,
      );
    }
    if (this.#unread === 0) return;
    this.#warn(
      `${this.#unread} passages have no triplets, because no model was available: ${this.#lastReason}`,
    );
  }

  async #extractWith(
    model: GraphModel,
    source: ExtractionText,
    signal: AbortSignal,
  ): Promise<Extraction> {
    const triplets = await askForTriplets(model, source, this.#tokenBudget, signal);
    return { triplets, origin: (await model.acceptsPrompts()) ? 'model' : 'rules' };
  }

  #recordFailure(error: unknown): void {
    const reason = isTroveError(error) ? error.detail : 'an unexpected error';
    this.#lastReason = reason;
    this.#logger.warn('extracting triplets failed', { error: String(error) });
    if (isTroveError(error) && permanentErrorCodes.has(error.code)) this.#failures = maxFailures;
    else if (isProviderError(error)) this.#failures++;
  }
}
