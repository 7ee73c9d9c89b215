import { base } from './address.js';

/** The server refused the token. */
export class Unauthorized extends Error {}

/** Calls the server of this page by the operations in its OpenAPI document. */
export class Server {
  #token = '';
  #operations = new Map();

  /** Throws Unauthorized if the server refuses the token. */
  async open(token) {
    this.#token = token;
    const { paths } = await this.#fetch('/openapi.json');
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        this.#operations.set(operationId, { path, method: method.toUpperCase() });
      }
    }
  }

  /** Calls an operation and returns its response. Throws an Error with the message of the server. */
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

/** Formats an error: a sentence, or a list of fields and reasons. */
function inWords({ detail, suggestions = [] }) {
  if (!Array.isArray(detail)) return [detail, ...suggestions].join(' · ');
  return detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ');
}
