import type { JSX } from 'preact';
import { firstPage, hrefOf } from '../route.js';

export function UnknownPage(): JSX.Element {
  return (
    <div class="page">
      <h1>This page does not exist</h1>
      <p>
        <a href={hrefOf(firstPage)}>Open the search</a>
      </p>
    </div>
  );
}
