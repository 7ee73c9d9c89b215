/** The question as the fragment of the URL, which is neither sent nor logged. */
const names = ['graph', 'question', 'passage_top_k', 'expansion_degree', 'filter', 'use_reranking'];
/** The folder of the page. A proxy may serve it below another path. */
export const base = new URL('.', location.href).href.replace(/\/$/, '');
const key = `trove-token ${base}`;

/** Reads the question from the URL. Missing values are ''. */
export function readAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(names.map((name) => [name, fragment.get(name) ?? '']));
}

/** Adds the question to the browser's history, unless it is the current entry. */
export function writeAddress(question) {
  const parameters = names
    .filter((name) => question[name] !== '')
    .map((name) => [name, question[name]]);
  const fragment = `#${new URLSearchParams(parameters)}`;
  if (fragment !== location.hash) history.pushState(null, '', fragment);
}

/** Removes a pass from the URL. Stores it, like a token, until the tab is closed. */
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
