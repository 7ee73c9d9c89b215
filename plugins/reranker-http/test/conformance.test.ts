import { rerankerCases, rerankerFaultCases, type FaultyRerankerSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { createReranker } from './support/create.js';
import {
  apiKey,
  closedBaseUrl,
  refusedKey,
  rerankServer,
  sendJson,
  type RerankServer,
} from './support/rerank-server.js';

for (const protocol of ['cohere', 'tei'] as const) {
  const test = suite<{ server: RerankServer }>(`reranker ${protocol}`);

  test.before.each(async (context) => {
    context.server = await rerankServer(protocol);
  });
  test.after.each(async ({ server }) => {
    await server[Symbol.asyncDispose]();
  });

  const subject = (server: RerankServer): FaultyRerankerSubject => ({
    create: () => createReranker(protocol, server.baseUrl),
    createFaulty: async (fault) => {
      if (fault === 'auth') return createReranker(protocol, server.baseUrl, `${apiKey}-wrong`);
      if (fault === 'unreachable') return createReranker(protocol, await closedBaseUrl());
      server.answers.push((response) => sendJson(response, 402, { message: 'Pay first.' }));
      return createReranker(protocol, server.baseUrl);
    },
    refusedText: `A ${refusedKey} text.`,
    secret: apiKey,
  });

  for (const each of [...rerankerCases, ...rerankerFaultCases]) {
    test(each.title, ({ server }) => each.run(subject(server)));
  }

  test.run();
}
