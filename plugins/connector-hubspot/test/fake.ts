import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { hubspotModel } from './fake/answers.js';
import { HubspotWorld } from './fake/world.js';

/** An account of HubSpot that accepts the token `token-1`. */
export interface FakeHubspot extends AsyncDisposable {
  readonly world: HubspotWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeHubspot(): Promise<FakeHubspot> {
  const world = new HubspotWorld();
  const model = hubspotModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
