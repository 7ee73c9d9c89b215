import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { feishuModel } from './fake/answers.js';
import { FeishuWorld } from './fake/world.js';

/** A Feishu with one tenant. */
export interface FakeFeishu extends AsyncDisposable {
  readonly world: FeishuWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeFeishu(): Promise<FakeFeishu> {
  const world = new FeishuWorld();
  const model = feishuModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
