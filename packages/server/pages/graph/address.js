/** What is asked, as the fragment of the address: it is sent nowhere and logged nowhere. */
const names = ['graph', 'question', 'passage_top_k', 'expansion_degree', 'filter', 'use_reranking'];
/** The folder of the page: a proxy may serve it below a path of its own. */
export const base = new URL('.', location.href).href.replace(/\/$/, '');
const key = `trove-token ${base}`;

/** Of the address; what it does not say is ''. */
export function readAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(names.map((name) => [name, fragment.get(name) ?? '']));
}

/** Makes what is asked a new entry of the browser's history, unless it is the current one. */
export function writeAddress(asked) {
  const said = names.filter((name) => asked[name] !== '').map((name) => [name, asked[name]]);
  const fragment = `#${new URLSearchParams(said)}`;
  if (fragment !== location.hash) history.pushState(null, '', fragment);
}

/** Takes a pass, if there is one, out of the address; it is kept, as a token is, until the tab is closed. */
export function takePass() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const pass = fragment.get('pass');
  if (pass === null) return false;
  fragment.delete('pass');
  history.replaceState(null, '', `#${fragment}`);
  keepToken(pass);
  return true;
}

export const keptToken = () => sessionStorage.getItem(key) ?? '';

export const keepToken = (token) => sessionStorage.setItem(key, token);

export const forgetToken = () => sessionStorage.removeItem(key);
