const jsonType = { 'content-type': 'application/json' };

/** Requests in the form of autocannon. */
export function get(path, query) {
  const text = new URLSearchParams(query).toString();
  return { method: 'GET', path: text === '' ? path : `${path}?${text}` };
}

export function post(path, body) {
  return { method: 'POST', path, headers: jsonType, body: JSON.stringify(body) };
}
