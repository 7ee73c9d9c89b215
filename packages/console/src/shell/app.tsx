import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from '../navigation.js';
import { lastSegment } from '../parts/names.js';
import { Session } from '../session.js';
import { SessionContext } from '../session-context.js';
import { Header } from './header.js';
import { pageOf } from './pages.js';
import { SignIn } from './sign-in.js';
import { UnknownPage } from './unknown-page.js';

/** The frame of all pages. Shows the page of the address to callers that are signed in. */
export function App(): JSX.Element {
  const [, render] = useState(0);
  const { current: session } = useRef(new Session(() => render((count) => count + 1)));
  const route = useRoute();
  useEffect(() => {
    void session.start();
    const signInAgain = (): void => void session.signInWithAddress();
    addEventListener('hashchange', signInAgain);
    return () => removeEventListener('hashchange', signInAgain);
  }, []);
  const page = pageOf(route.page);
  const object = route.params.get('path') ?? route.params.get('root') ?? '';
  const title = page?.title ?? 'Not found';
  useEffect(() => {
    document.title = [...(object === '' ? [] : [lastSegment(object)]), title, 'Trove'].join(' · ');
    // The focused element was on the page before.
    if (document.activeElement === document.body) focusMain();
  }, [title, object, session.state]);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header page={page?.path ?? ''} session={session} />
      <main id="main" tabIndex={-1}>
        {session.state === 'starting' && <p class="soft page">Connecting …</p>}
        {session.state === 'signed-in' &&
          (page === undefined ? (
            <UnknownPage />
          ) : (
            <page.Page key={page.path} params={route.params} />
          ))}
        {session.state !== 'starting' && session.state !== 'signed-in' && (
          <SignIn session={session} />
        )}
      </main>
    </SessionContext.Provider>
  );
}

/** Moves the focus without a change of the address, which names the page. */
function skipToMain(event: Event): void {
  event.preventDefault();
  focusMain();
}

function focusMain(): void {
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}
