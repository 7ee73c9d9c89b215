import { oneOf } from '@trove/test-support/random.js';
import { embedFaultNames, failureNames, occasionNames } from '../plugins/hostile-embedder.mjs';
import { oddValues } from '../plugins/odd-values.mjs';

/** Codes of Trove that an embedder may give its errors, rightly or wrongly. */
const codes = (
  'embedding_unavailable embedding_auth_failed embedding_quota_exceeded config_invalid not_found timed_out ' +
  'internal_error storage_unavailable engine_closed cancelled plugin_invalid validation_error'
).split(' ');

/** Returns a fault of the embedder during indexing. */
export function planFrom(random) {
  return {
    method: 'embed',
    fault: oneOf(random, embedFaultNames),
    when: oneOf(random, occasionNames),
    value: oddValue(random),
    code: oneOf(random, codes),
    retryable: random() < 0.5,
  };
}

/** Returns a fault at the start of the server. A hanging start takes a minute and has its own test. */
export function startPlanFrom(random) {
  const fault = oneOf(
    random,
    failureNames.filter((name) => name !== 'hang'),
  );
  return oneOf(random, [
    { method: 'create', fault, value: oddValue(random) },
    {
      method: 'facts',
      member: oneOf(random, ['model', 'dimension', 'nature', 'embed', 'close', 'then']),
      value: oddValue(random),
    },
  ]);
}

/** Returns a fault at the end of the server. */
export function endPlanFrom(random) {
  return { method: 'close', fault: oneOf(random, failureNames), value: oddValue(random) };
}

function oddValue(random) {
  return oneOf(random, Object.keys(oddValues));
}
