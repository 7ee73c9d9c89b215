import { createServer, request as send } from 'node:http';

/**
 * Starts a proxy that distributes requests to several servers in turn. `urlsOf` returns the addresses of the
 * running servers. If a server does not respond to a GET, the next one gets it. Other requests are never sent
 * twice.
 */
export async function startBalancer(urlsOf) {
  let turn = 0;
  const server = createServer((request, response) => {
    const urls = urlsOf();
    const first = turn++;
    const inTurn = urls.map((_, at) => urls[(first + at) % urls.length]);
    pass(request, response, request.method === 'GET' ? inTurn : inTurn.slice(0, 1));
  });
  // Uploads and inline indexing may take any time. The servers have their own limits.
  server.requestTimeout = 0;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(request, response, [url, ...others]) {
  if (url === undefined) {
    response.writeHead(502, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ code: 'bad_gateway', detail: 'No server answers', suggestions: [] }),
    );
    return;
  }
  const { method, headers } = request;
  const onward = send(new URL(request.url, url), { method, headers });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
    // If a server dies during its response, the client must not take the part for the whole.
    answer.once('error', () => response.destroy());
  });
  onward.once('error', () => {
    if (response.headersSent) response.destroy();
    else pass(request, response, others);
  });
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
