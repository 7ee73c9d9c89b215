import { messageOf, type Infer, type Logger } from '@trove/core';
import { createToken, inject, injectable, LoggerToken } from '@trove/core/di';
import type { LanguageModelService } from '@trove/runtime';
import { languageOf } from '@trove/text/analyzer';
import type {
  askRequestSchema,
  AskResponse,
  ResultEnvelope,
  SearchResponse,
} from '../../api/schemas.js';
import { LargeJobsToken, type LargeJobs } from '../../generations/scheduling/large-jobs.js';
import { LoadMonitorToken, type LoadMonitor } from '../../generations/scheduling/load-monitor.js';
import { ActiveVocabulary } from '../../generations/selection/active-vocabulary.js';
import {
  GenerationFinderToken,
  type GenerationFinder,
} from '../../generations/selection/generations.js';
import { LanguageModelToken } from '../../tokens.js';
import type { AskEvent, OnAskEvent } from '../../api/calls.js';
import { SearchToken, type SearchService } from '../search/search-service.js';
import type { AnswerReceiver } from './answer-stream.js';
import { correctTypingErrors } from './corrections.js';
import { askModel } from './model-answer.js';
import { QuestionWords, termsOfQuestion } from './question-words.js';
import { quotePassages, type VerifiedAnswer } from './quoting.js';

/** Kinds of chunks that contain the source's own text. Summaries are written by a model and prove nothing. */
const citedKinds = 'body,row_text,thread_aggregate,record_aggregate';
/** Rows of a word are counted up to this number. */
const maxCountedRows = 5000;
/** The name of answers that only quote. */
const quotingModel = 'rules';
const notFound = 'Not found';

type ValidAskRequest = Infer<typeof askRequestSchema>;

interface WrittenAnswer extends VerifiedAnswer {
  readonly model: string;
  readonly notices: readonly string[];
}

/** The token of `AskService` in an engine's container. */
export const AskToken = createToken<AskService>('engine.ask');

/** Answers questions from the index, with citations that are checked against the passages. */
@injectable()
export class AskService {
  readonly #search: SearchService;
  readonly #loadMonitor: LoadMonitor;
  readonly #openModel: (() => Promise<LanguageModelService>) | null;
  readonly #logger: Logger;
  readonly #vocabulary: ActiveVocabulary;

  constructor(
    @inject(SearchToken) search: SearchService,
    @inject(LoadMonitorToken) loadMonitor: LoadMonitor,
    @inject(LanguageModelToken) openModel: (() => Promise<LanguageModelService>) | null,
    @inject(GenerationFinderToken) generations: GenerationFinder,
    @inject(LargeJobsToken) largeJobs: LargeJobs,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#search = search;
    this.#loadMonitor = loadMonitor;
    this.#openModel = openModel;
    this.#logger = logger;
    this.#vocabulary = new ActiveVocabulary(generations, largeJobs);
  }

  /** `onEvent` receives the parts of the answer as they become known. Its errors end the call. */
  async ask(
    request: ValidAskRequest,
    signal: AbortSignal,
    onEvent?: OnAskEvent,
  ): Promise<AskResponse> {
    const { question } = request;
    const { results, metadata } = await this.#findPassages(request, signal);
    const passages = results.map(({ source, locator, content, score }, at) => ({
      id: at + 1,
      source,
      locator,
      content,
      score,
    }));
    await onEvent?.({ event: 'passages', data: { passages } });
    const receiver = onEvent === undefined ? undefined : new EventReceiver(onEvent);
    const corrected = metadata?.showing_results_for ?? question;
    const certain = correctTypingErrors(question, metadata?.corrections ?? []);
    const written = await this.#write(question, certain, results, signal, receiver);
    const notices = [
      ...(corrected === question ? [] : [`The search was for “${corrected}”.`]),
      ...written.notices,
    ];
    const found = written.citations.length > 0;
    return {
      question,
      answer: found ? written.answer : notFound,
      found,
      model: written.model,
      notice: notices.length === 0 ? null : notices.join(' '),
      citations: [...written.citations],
      passages,
    };
  }

  #findPassages(
    { question, max_passages: limit, path, glob, type, filter }: ValidAskRequest,
    signal: AbortSignal,
  ): Promise<SearchResponse> {
    const query = {
      q: question,
      mode: 'hybrid',
      top_k: limit,
      offset: 0,
      collapse: false,
      demote: true,
      sort: 'relevance',
      explain: false,
      kind: citedKinds,
      ...(path === undefined ? {} : { path }),
      ...(glob === undefined ? {} : { glob }),
      ...(type === undefined ? {} : { type }),
      ...(filter === undefined ? {} : { filter }),
    } as const;
    // Only the search counts as a waiting caller, because a model may take minutes.
    return this.#loadMonitor.track(() => this.#search.search(query, signal));
  }

  /** Lets the language model answer. Quotes the passages if it accepts no prompts or fails. */
  async #write(
    question: string,
    correctedQuestion: string,
    passages: readonly ResultEnvelope[],
    signal: AbortSignal,
    receiver: EventReceiver | undefined,
  ): Promise<WrittenAnswer> {
    const notices: string[] = [];
    try {
      const model = passages.length === 0 ? null : await this.#openModel?.();
      if (model?.acceptsPrompts === true) {
        const { removed, ...answer } = await askModel(model, question, passages, signal, receiver);
        if (removed > 0) notices.push(removedNotice(removed));
        return { ...answer, model: model.model, notices };
      }
    } catch (error) {
      signal.throwIfAborted();
      receiver?.throwIfFailed();
      const reason = messageOf(error);
      this.#logger.warn('answering by the language model failed', { error: reason });
      notices.push(`The language model failed, so the answer only quotes: ${reason}`);
    }
    const answer = await this.#quote(correctedQuestion, passages, signal);
    return { ...answer, model: quotingModel, notices };
  }

  async #quote(
    question: string,
    passages: readonly ResultEnvelope[],
    signal: AbortSignal,
  ): Promise<VerifiedAnswer> {
    const [first] = passages;
    if (first === undefined) return { answer: '', citations: [] };
    const terms = termsOfQuestion(question);
    const frequencies = await this.#vocabulary.frequencies(terms, { maxCount: maxCountedRows });
    signal.throwIfAborted();
    const words = new QuestionWords(question, frequencies, languageOf(first.content));
    return quotePassages(words, passages) ?? { answer: '', citations: [] };
  }
}

/** Passes the text of an answer on as events. Remembers the caller's error, which is not the model's. */
class EventReceiver implements AnswerReceiver {
  readonly #onEvent: OnAskEvent;
  #failure: { readonly error: unknown } | null = null;

  constructor(onEvent: OnAskEvent) {
    this.#onEvent = onEvent;
  }

  text(text: string): Promise<void> {
    return this.#send({ event: 'text', data: { text } });
  }

  restart(): Promise<void> {
    return this.#send({ event: 'restart', data: {} });
  }

  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #send(event: AskEvent): Promise<void> {
    this.throwIfFailed();
    try {
      await this.#onEvent(event);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

function removedNotice(count: number): string {
  const statements = count === 1 ? '1 statement' : `${count} statements`;
  return `The answer leaves out ${statements} of the language model without a verified citation.`;
}
