import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/test-support/fake-service/fake-service.js';
import { confluenceModel } from './fake/answers.js';
import { ConfluenceWorld } from './fake/world.js';

/** A Confluence Cloud site that accepts `ann@acme.example` with the API token `token-1`. */
export interface FakeConfluence extends AsyncDisposable {
  readonly world: ConfluenceWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeConfluence(): Promise<FakeConfluence> {
  const world = new ConfluenceWorld();
  const model = confluenceModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
