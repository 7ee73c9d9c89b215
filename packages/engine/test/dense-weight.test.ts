import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { denseWeight } from '../src/query/search/dense-weight.js';

const test = suite('dense weight');

test('vectors count little for names, whose definitions words find', () => {
  const weights = (query: string): number[] => [
    denseWeight(query, { nature: 'lexical', isTrained: false }),
    denseWeight(query, { nature: 'lexical', isTrained: true }),
    denseWeight(query, { nature: 'semantic', isTrained: false }),
  ];
  for (const name of ['defineConnector', ' parse_header ', 'Row.parse', 'std::move']) {
    assert.equal(weights(name), [0.1, 0.1, 0.1], name);
  }
  assert.equal(weights('lantern'), [0.1, 0.1, 0.5], 'models know a single word');
  for (const question of ['define a connector', '接続プール', '如何配置服务器']) {
    assert.equal(weights(question), [0.2, 0.35, 0.5], question);
  }
});

test.run();
