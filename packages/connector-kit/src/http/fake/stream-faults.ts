import type { DescribedService } from './described-service.js';
import { failureOf } from './failures.js';
import type { Fault } from './fake-service.js';
import { listAt, rulesOf, type FakeWorld } from './fake-world.js';
import { isRecord } from '../json.js';
import {
  emptyPageFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from './faults.js';
import { isPath, setAt } from './places.js';

/**
 * | fault | effect on the listings of a stream |
 * | --- | --- |
 * | `rate-limit` | The next request is refused, with 100 ms to wait |
 * | `revoked-login` | The login is refused from the second request on |
 * | `expired-page` | The second request is refused, because the token of the page has expired |
 * | `server-error` | The third request is answered with 502 and a page that is not JSON |
 * | `truncated` | The next answer is cut in half |
 * | `repeated-page` | The first page is sent again in place of the second one |
 * | `empty-page` | The next page has no items, but names a next page |
 */
export type FaultKind =
  | 'rate-limit'
  | 'revoked-login'
  | 'expired-page'
  | 'server-error'
  | 'truncated'
  | 'repeated-page'
  | 'empty-page';

const waitMs = 100;

export function faultOf(
  world: FakeWorld,
  model: DescribedService,
  name: string,
  kind: FaultKind,
): Fault {
  const stream = world.plan.streams.get(name);
  if (stream === undefined) throw new Error(`The description has no stream \`${name}\`.`);
  const { description } = stream;
  const matches: Fault['matches'] = (request) => model.streamOf(request) === name;
  switch (kind) {
    case 'rate-limit':
      return rateLimitFault(model, matches, waitMs);
    case 'revoked-login':
      return revokedTokenFault(model, matches, 1);
    case 'expired-page': {
      const refusal = failureOf('expired', rulesOf(world, description));
      return { matches, after: 1, apply: () => refusal };
    }
    case 'server-error':
      return serverErrorFault(matches);
    case 'truncated':
      return truncatedFault(matches);
    case 'repeated-page':
      return repeatedPageFault(matches);
    case 'empty-page':
      return emptyPageFault(matches, (json) => {
        const { items } = description;
        return isRecord(json) && isPath(items) ? setAt(json, items, []) : listAt(items, [], name);
      });
  }
}
