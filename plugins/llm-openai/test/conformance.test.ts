import {
  chatServer,
  languageModelCases,
  languageModelChatCases,
  languageModelFaultCases,
  languageModelImageCases,
  languageModelStreamCases,
  sendChatError,
  type ChatServer,
  type FaultyLanguageModelSubject,
} from '@trove/testkit';
import { suite } from 'uvu';

import { apiKey, closedBaseUrl, createModel, refusedKey, silentLogger } from './support/create.js';

const test = suite<{ server: ChatServer }>('openai conformance');

test.before.each(async (context) => {
  context.server = await chatServer({ apiKey, refuse: refusedKey, silence: silentLogger });
});
test.after.each(async ({ server }) => {
  await server[Symbol.asyncDispose]();
});

function subject(server: ChatServer): FaultyLanguageModelSubject {
  return {
    create: () => createModel(server.baseUrl),
    createFaulty: async (fault) => {
      if (fault === 'auth') return createModel(server.baseUrl, { api_key: `${apiKey}-wrong` });
      if (fault === 'unreachable') return createModel(await closedBaseUrl());
      server.answers.push((response) =>
        sendChatError(response, 429, `No quota for ${apiKey}.`, 'insufficient_quota'),
      );
      return createModel(server.baseUrl);
    },
    refusedPrompt: `A ${refusedKey} prompt.`,
    silencingPrompt: `A ${silentLogger} prompt.`,
    secret: apiKey,
  };
}

for (const each of [
  ...languageModelCases,
  ...languageModelChatCases,
  ...languageModelImageCases,
  ...languageModelStreamCases,
  ...languageModelFaultCases,
]) {
  test(each.title, ({ server }) => each.run(subject(server)));
}

test.run();
