import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { base } from '../address.js';
import { hrefOf } from '../route.js';
import type { Session } from '../session.js';
import { pages } from './pages.js';

interface Props {
  /** The path of the current page. */
  readonly page: string;
  readonly session: Session;
}

export function Header({ page, session }: Props): JSX.Element {
  const menu = useRef<HTMLElement>(null);
  // A phone shows only a part of the menu.
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [page, session.state]);
  return (
    <header class="top">
      <a class="brand" href={hrefOf('search')}>
        Trove
      </a>
      {session.state === 'signed-in' && (
        <>
          <nav aria-label="Pages" ref={menu}>
            <ul>
              {pages.map(({ path, title }) => (
                <li key={path}>
                  <a href={hrefOf(path)} aria-current={path === page ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
              <li>
                <a href={`${base}/docs`}>API</a>
              </li>
            </ul>
          </nav>
          {session.token !== '' && (
            <button type="button" class="small sign-out" onClick={() => session.signOut()}>
              Sign out
            </button>
          )}
        </>
      )}
    </header>
  );
}
