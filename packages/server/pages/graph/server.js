import { base } from './address.js';

/** The server wants another token. */
export class Unauthorized extends Error {}

/** The server that the page comes from, by the operations in its description. */
export class Server {
  #token = '';
  #operations = new Map();

  /** Throws Unauthorized when the server does not accept the token. */
  async open(token) {
    this.#token = token;
    const { paths } = await this.#fetch('/openapi.json');
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        this.#operations.set(operationId, { path, method: method.toUpperCase() });
      }
    }
  }

  /** What an operation answers; throws an Error with the server's own words. */
  call(operationId, { params = {}, query = {}, body, signal } = {}) {
    const { path, method } = this.#operations.get(operationId);
    const place = path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(params[name]));
    return this.#fetch(`${place}?${new URLSearchParams(query)}`, {
      method,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #fetch(path, { signal, ...init } = {}) {
    const headers = {
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    let response;
    try {
      response = await fetch(base + path, { ...init, headers, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Error('The server cannot be reached. Is it running?', { cause: error });
    }
    if (response.status === 401) throw new Unauthorized();
    const answer = await response.json().catch(() => ({ detail: `status ${response.status}` }));
    if (!response.ok) throw new Error(inWords(answer));
    return answer;
  }
}

/** An error of either form: a sentence, or a list of places and reasons. */
function inWords({ detail, suggestions = [] }) {
  if (!Array.isArray(detail)) return [detail, ...suggestions].join(' · ');
  return detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ');
}
