import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { notionModel } from './fake/answers.js';
import { NotionWorld } from './fake/world.js';

/** A Notion workspace that accepts the token `token-1`. */
export interface FakeNotion extends AsyncDisposable {
  readonly world: NotionWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeNotion(): Promise<FakeNotion> {
  const world = new NotionWorld();
  const model = notionModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
