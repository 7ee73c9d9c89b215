import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { zendeskModel } from './fake/answers.js';
import { ZendeskWorld } from './fake/world.js';

/** An account of Zendesk that accepts `ann@acme.example` with the API token `token-1`. */
export interface FakeZendesk extends AsyncDisposable {
  readonly world: ZendeskWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeZendesk(): Promise<FakeZendesk> {
  const world = new ZendeskWorld();
  const model = zendeskModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
