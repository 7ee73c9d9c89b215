import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { confluenceModel } from './fake/answers.js';
import { dataCenterModel } from './fake/data-center.js';
import { ConfluenceWorld } from './fake/world.js';

export interface FakeConfluence extends AsyncDisposable {
  readonly world: ConfluenceWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

/** A Confluence Cloud site that accepts `ann@acme.example` with the API token `token-1`. */
export function startFakeConfluence(): Promise<FakeConfluence> {
  return start(confluenceModel);
}

/** A Confluence Data Center site at `/wiki` that accepts the personal access token `token-1`. */
export function startFakeDataCenter(): Promise<FakeConfluence> {
  return start(dataCenterModel);
}

async function start(modelOf: (world: ConfluenceWorld) => ServiceModel): Promise<FakeConfluence> {
  const world = new ConfluenceWorld();
  const model = modelOf(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
