import { inject, injectable, createToken } from '@trove/core/di';
import { TroveError, type Infer } from '@trove/core';
import { acceptRequest } from '@trove/runtime';
import {
  grepQuerySchema,
  searchQuerySchema,
  type GrepResponse,
  type symbolsQuerySchema,
  type SymbolsResponse,
} from '../../api/schemas.js';
import { GrepToken, type GrepService } from '../grep/grep-service.js';
import { SearchToken, type SearchService } from '../search/search-service.js';
import {
  DefinitionReaderToken,
  type DefinitionReader,
  type FoundDefinition,
} from './definition-reader.js';
import { orderDefinitions } from './definition-order.js';
import { definitionLikelihood } from './likely-definition.js';
import { parseSymbolName, type SymbolName } from './symbol-name.js';

/** Objects from the index that are read to confirm definitions. */
const maxIndexCandidates = 100;
/** Objects with likely definitions among the matching lines. */
const maxLineCandidates = 200;
/** Matching lines that are examined if the index names no definition. */
const maxExaminedLines = 10_000;
const maxConcurrentReads = 4;
/** After this time, no further objects are read. */
const confirmLimitMs = 15_000;

type Reference = SymbolsResponse['references'][number];
type SymbolsRequest = Infer<typeof symbolsQuerySchema>;

/** Lines that contain a name, with the cursor of the next ones. */
interface NameLines {
  readonly lines: readonly Reference[];
  readonly isPartial: boolean;
  readonly next: string | null;
}

/** The token of `SymbolService` in an engine's container. */
export const SymbolsToken = createToken<SymbolService>('engine.symbols');

/** Finds definitions of names and the lines that use them. */
@injectable()
export class SymbolService {
  readonly #search: SearchService;
  readonly #grep: GrepService;
  readonly #reader: DefinitionReader;

  constructor(
    @inject(SearchToken) search: SearchService,
    @inject(GrepToken) grep: GrepService,
    @inject(DefinitionReaderToken) reader: DefinitionReader,
  ) {
    this.#search = search;
    this.#grep = grep;
    this.#reader = reader;
  }

  async find(query: SymbolsRequest, signal: AbortSignal): Promise<SymbolsResponse> {
    const wanted = parseSymbolName(query.name);
    if (wanted === null) {
      throw new TroveError('validation_error', 'name: contains no name of code', {
        suggestions: ['Write a name such as `parseHeader`, `Parser.parse` or `func parse`.'],
      });
    }
    const isFirstPage = query.cursor === undefined;
    const confirmation = new Confirmation(this.#reader, wanted.name, signal);
    const [used] = await Promise.all([
      query.references === 0 ? noLines : this.#lines(query, wanted, query.references, signal),
      isFirstPage ? this.#confirmIndexed(query, wanted, confirmation, signal) : null,
    ]);
    await confirmation.addAll(likelySources(used.lines, wanted.name));
    if (
      isFirstPage &&
      confirmation.exact().length === 0 &&
      (used.isPartial || query.references === 0)
    ) {
      const { lines } = await this.#lines(query, wanted, maxExaminedLines, signal);
      await confirmation.addAll(likelySources(lines, wanted.name));
    }
    const ordered = orderDefinitions(confirmation.found(), wanted, confirmation.isExact);
    const definitions = isFirstPage ? ordered.slice(0, query.limit) : [];
    const defining = new Set(
      confirmation.exact().map(({ source, nameLine }) => `${nameLine} ${source}`),
    );
    return {
      name: wanted.name,
      definitions: definitions.map(({ source, lines, signature, kind, language }) => ({
        source,
        lines: [...lines],
        signature,
        kind,
        language,
      })),
      references: used.lines.filter(({ source, line }) => !defining.has(`${line} ${source}`)),
      truncated:
        used.isPartial || confirmation.isPartial || (isFirstPage && ordered.length > query.limit),
      next: used.next,
    };
  }

  /** Reads the objects that the index ranks first for a name. Definitions count more than other words. */
  async #confirmIndexed(
    { path }: SymbolsRequest,
    { name }: SymbolName,
    confirmation: Confirmation,
    signal: AbortSignal,
  ): Promise<void> {
    const request = acceptRequest(searchQuerySchema, {
      q: name,
      mode: 'keyword',
      top_k: maxIndexCandidates,
      ...(path === undefined ? {} : { path }),
    });
    const { results } = await this.#search.search(request, signal);
    await confirmation.addAll(results.map(({ source }) => source));
  }

  /** Returns lines with a name as a whole word. */
  async #lines(
    { path, cursor }: SymbolsRequest,
    { name }: SymbolName,
    limit: number,
    signal: AbortSignal,
  ): Promise<NameLines> {
    const request = acceptRequest(grepQuerySchema, {
      pattern: name,
      word: true,
      limit,
      ...(path === undefined ? {} : { path }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const { results, truncated, next } = await this.#grep.grep(request, signal);
    const lines = results.flatMap(toReference);
    return { lines, isPartial: truncated, next };
  }
}

const noLines: NameLines = { lines: [], isPartial: false, next: null };

function toReference({ source, match, content }: GrepResponse['results'][number]): Reference[] {
  const [line] = match?.lines ?? [];
  return source === null || line === undefined ? [] : [{ source, line, text: content }];
}

/** Returns the objects whose lines are likely to define a name, the likeliest first. */
function likelySources(lines: readonly Reference[], name: string): string[] {
  const likelihoods = new Map<string, number>();
  for (const { source, text } of lines) {
    const likelihood = definitionLikelihood(text, name);
    if (likelihood > (likelihoods.get(source) ?? 0)) likelihoods.set(source, likelihood);
  }
  return [...likelihoods]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxLineCandidates)
    .map(([source]) => source);
}

/** Reads objects and collects the definitions in them. */
class Confirmation {
  readonly #reader: DefinitionReader;
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #end = Date.now() + confirmLimitMs;
  /** In the order in which the objects were added. */
  readonly #bySource = new Map<string, readonly FoundDefinition[]>();
  /** Whether objects were left out because of the time limit. */
  isPartial = false;

  constructor(reader: DefinitionReader, name: string, signal: AbortSignal) {
    this.#reader = reader;
    this.#name = name;
    this.#signal = signal;
  }

  async addAll(sources: readonly string[]): Promise<void> {
    const added = [...new Set(sources)].filter((source) => !this.#bySource.has(source));
    for (const source of added) this.#bySource.set(source, []);
    const readNext = async (): Promise<void> => {
      for (let source = added.shift(); source !== undefined; source = added.shift()) {
        this.#signal.throwIfAborted();
        if (Date.now() > this.#end) {
          this.isPartial = true;
          return;
        }
        this.#bySource.set(source, await this.#reader.read(source, this.#name, this.#signal));
      }
    };
    await Promise.all(Array.from({ length: maxConcurrentReads }, readNext));
  }

  found(): FoundDefinition[] {
    return [...this.#bySource.values()].flat();
  }

  exact(): FoundDefinition[] {
    return this.found().filter(this.isExact);
  }

  /** Whether a definition has the name in its exact case. */
  readonly isExact = ({ definedName }: FoundDefinition): boolean => definedName === this.#name;
}
