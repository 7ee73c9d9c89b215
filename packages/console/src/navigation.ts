import { useEffect, useState } from 'preact/hooks';
import { parseRoute, type PageRoute } from './route.js';

/** Returns the current route, and renders again when it changes. */
export function useRoute(): PageRoute {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const update = (): void => setFragment(location.hash);
    addEventListener('hashchange', update);
    // The address may have changed between the first rendering and this effect.
    update();
    return () => removeEventListener('hashchange', update);
  }, []);
  return parseRoute(fragment);
}

/** Opens a page of the console. */
export function navigate(href: string): void {
  location.hash = href;
}

/** Replaces the address without an entry in the history. */
export function replaceAddress(href: string): void {
  if (href === location.hash) return;
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
