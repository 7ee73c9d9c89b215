import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** This much of a passage identifies it. */
const tellingChars = 60;

/**
 * Starts a local server with `/v1/chat/completions` that knows the answering passages of each question and picks them
 * from the prompt. Shows the limit of a perfect language model. Returns `{ baseUrl, stop() }`.
 */
export async function startPerfectModel({ passages, questions }) {
  const beginnings = new Map(
    passages.map(({ id, text }) => [id, flat(text).slice(0, tellingChars)]),
  );
  const server = createServer((request, response) => {
    answer(request, { questions, beginnings })
      .then((content) => send(response, 200, completion(content)))
      .catch((error) => send(response, 400, { error: { message: String(error) } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request, { questions, beginnings }) {
  const { messages, response_format: format } = await json(request);
  const prompt = String(messages.at(-1).content);
  const asked = questions.find(({ question }) => flat(prompt).includes(flat(question)));
  if (asked === undefined) throw new Error('unknown question');
  const fields = Object.keys(format?.json_schema?.schema?.properties ?? {});
  if (!fields.includes('passages')) {
    return { answer: asked.answer ?? 'It is in [1].', found: true };
  }
  const shown = numberedParts(prompt);
  const picked = asked.gold.flatMap((id) =>
    shown.filter(({ text }) => text.includes(beginnings.get(id))).map(({ number }) => number),
  );
  return { passages: picked };
}

/** Returns the text after each `[n]` at the start of a line. */
function numberedParts(prompt) {
  return prompt.split(/^(?=\[\d+\] )/m).flatMap((part) => {
    const number = /^\[(\d+)\] /.exec(part)?.[1];
    return number === undefined ? [] : [{ number: Number(number), text: flat(part) }];
  });
}

function flat(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function completion(content) {
  const message = { role: 'assistant', content: JSON.stringify(content), refusal: null };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'perfect',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
