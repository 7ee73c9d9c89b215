import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { loadFacets, type Facets } from './facets.js';
import { searchHref, type SearchChoice } from './search-request.js';

/** Counting waits for a pause while the user types, so it does not delay searches. */
const pauseMs = 250;

/** Returns the counts of the options of a search, or null before they are known. */
export function useFacets(choice: SearchChoice): Facets | null {
  const client = useClient();
  const href = searchHref({ ...choice, sort: '' });
  const { value } = useLoaded(
    async (signal) => {
      if (choice.q.trim() === '') return null;
      await pause(signal);
      return { href, facets: await loadFacets(client, { ...choice, sort: '' }, signal) };
    },
    [href],
  );
  // Counts of another search would be wrong.
  return value?.href === href ? value.facets : null;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
