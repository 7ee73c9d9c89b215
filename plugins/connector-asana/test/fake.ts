import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';
import { asanaModel } from './fake/answers.js';
import { AsanaWorld } from './fake/world.js';

/** A fake Asana that accepts the token `token-1`. */
export interface FakeAsana extends AsyncDisposable {
  readonly world: AsanaWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeAsana(): Promise<FakeAsana> {
  const world = new AsanaWorld();
  const model = asanaModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
