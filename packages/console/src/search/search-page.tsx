import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { replaceAddress } from '../navigation.js';
import { Failure } from '../parts/failure.js';
import { NoSource } from '../parts/no-source.js';
import { wordsToMark } from '../parts/mark-words.js';
import { counted } from '../parts/numbers.js';
import { useClient } from '../session-context.js';
import type { PageProps } from '../shell/pages.js';
import { useLoaded } from '../use-loaded.js';
import { Elsewhere } from './elsewhere.js';
import { Filters } from './filters.js';
import { Hit } from './hit.js';
import { moveInHits } from './hit-keys.js';
import { MarkedQuestions } from './marked-questions.js';
import { NothingFound } from './nothing-found.js';
import {
  pageSize,
  readChoice,
  requestOf,
  searchHref,
  type SearchChoice,
} from './search-request.js';
import { useFacets } from './use-facets.js';

/** Shorter than a keystroke, so fast typing sends one request for several keys. */
const delayMs = 40;
const maxHits = 1000;

/** Searches while the user types. The address contains the search. */
export function SearchPage({ params }: PageProps): JSX.Element {
  const client = useClient();
  const choice = readChoice(params);
  const [shownHits, setShownHits] = useState(pageSize);
  const href = searchHref(choice);
  const sources = useLoaded((signal) => client.server.status({ signal }), []);
  const found = useLoaded(
    async (signal) =>
      choice.q.trim() === ''
        ? null
        : client.retrieval.search({ ...requestOf(choice), top_k: shownHits }, { signal }),
    [href, shownHits],
    { delayMs },
  );
  const facets = useFacets(choice);
  const change = (part: Partial<SearchChoice>): void => {
    setShownHits(pageSize);
    replaceAddress(searchHref({ ...choice, ...part }));
  };
  const box = useSlashKey();
  const connectors = sources.value?.connectors ?? [];
  const corrected = found.value?.metadata?.showing_results_for;
  const words = wordsToMark(corrected ?? choice.q);
  const hits = found.value?.results ?? [];
  return (
    <div class="page" onKeyDown={moveInHits}>
      <h1 class="hidden">Search</h1>
      <form role="search" class="search-box" onSubmit={(event) => event.preventDefault()}>
        <label class="hidden" for="query">
          Search all sources
        </label>
        <input
          id="query"
          ref={box}
          type="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={10_000}
          placeholder="Words or a question"
          value={choice.q}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <Filters choice={choice} sources={connectors} facets={facets} onChange={change} />
      <p class="soft" role="status">
        {statusOf(choice.q, { hits: found.value?.results.length, shownHits }, found.isLoading)}
        {corrected !== undefined && <> Shown are the passages for “{corrected}”.</>}
      </p>
      {found.error !== undefined && <Failure error={found.error} />}
      {found.value?.results.length === 0 && (
        <NothingFound choice={choice} reason={found.value.reason} sources={connectors} />
      )}
      <ol class="hits" aria-label="Passages" aria-busy={found.isLoading}>
        {hits.map((hit) => (
          <Hit
            key={`${hit.source} ${JSON.stringify(hit.locator)}`}
            hit={hit}
            words={words}
            question={choice.q}
          />
        ))}
      </ol>
      {hits.length >= shownHits && shownHits < maxHits && (
        <button type="button" onClick={() => setShownHits(shownHits + pageSize)}>
          Show more passages
        </button>
      )}
      {choice.q.trim() === '' ? (
        <Introduction isEmpty={sources.value?.connectors.length === 0} />
      ) : (
        <Elsewhere choice={choice} />
      )}
      <MarkedQuestions />
    </div>
  );
}

interface FoundCounts {
  readonly hits: number | undefined;
  /** The requested number of hits. */
  readonly shownHits: number;
}

function statusOf(query: string, { hits, shownHits }: FoundCounts, isLoading: boolean): string {
  if (query.trim() === '') return '';
  if (hits === undefined) return isLoading ? 'Searching …' : '';
  return hits < shownHits ? counted(hits, 'passage') : `The best ${counted(hits, 'passage')}`;
}

function Introduction({ isEmpty }: { readonly isEmpty: boolean }): JSX.Element {
  return isEmpty ? (
    <p class="notice">
      <NoSource />
    </p>
  ) : (
    <p class="soft">
      Type words or a question. <kbd>/</kbd> moves to the search box, <kbd>↓</kbd> and <kbd>↑</kbd>{' '}
      move between passages, <kbd>Enter</kbd> opens one.
    </p>
  );
}

/** Focuses the search box at first, and with the key `/` outside of text fields. */
function useSlashKey(): { current: HTMLInputElement | null } {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return box;
}
