/* global SwaggerUIBundle */

/** Shows the API of the server that serves this page. The token is kept until the tab is closed, as in the console. */
const form = document.querySelector('#sign-in');
const field = document.querySelector('#token');
const problem = document.querySelector('#problem');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The folder of the page. A proxy may serve it below another path. */
const base = new URL('.', location.href).href.replace(/\/$/, '');
const tokenKey = `trove-token ${base}`;

/** Fetches the document. Returns null if the server refuses the token. */
async function documentFor(token) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch('openapi.json', { headers });
  if (response.status === 401) return null;
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail);
  return body;
}

async function open(token) {
  const spec = await documentFor(token);
  form.hidden = spec !== null;
  if (spec === null) {
    sessionStorage.removeItem(tokenKey);
    if (token !== '') say('The server refuses this token.');
    field.focus();
    return;
  }
  if (token !== '') sessionStorage.setItem(tokenKey, token);
  say('');
  const ui = SwaggerUIBundle({
    // Sends calls to this server, whatever address its document names.
    spec: { ...spec, servers: [{ url: base }] },
    dom_id: '#api',
    presets: [SwaggerUIBundle.presets.apis],
    deepLinking: true,
    displayRequestDuration: true,
    validatorUrl: null,
    onComplete: () => {
      if (token !== '') ui.preauthorizeApiKey('bearer', token);
    },
  });
}

function say(text) {
  problem.textContent = text;
  problem.hidden = text === '';
}

function attempt(token) {
  open(token).catch((error) => say(`The API cannot be shown: ${error.message}`));
}

/** Swagger UI has a dark theme of its own. */
function followTheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(field.value.trim());
});

dark.addEventListener('change', followTheme);
followTheme();
attempt(sessionStorage.getItem(tokenKey) ?? '');
