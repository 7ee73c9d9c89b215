import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';

import { intercomModel } from './fake/answers.js';
import { IntercomWorld } from './fake/world.js';

/** A workspace of Intercom that accepts the token `token-1`. */
export interface FakeIntercom extends AsyncDisposable {
  readonly world: IntercomWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeIntercom(): Promise<FakeIntercom> {
  const world = new IntercomWorld();
  const model = intercomModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
