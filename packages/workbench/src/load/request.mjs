const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests as autocannon sends them. */
export function get(path, query) {
  const text = new URLSearchParams(query).toString();
  return { method: 'GET', path: text === '' ? path : `${path}?${text}` };
}

export function post(path, body) {
  return { method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) };
}
