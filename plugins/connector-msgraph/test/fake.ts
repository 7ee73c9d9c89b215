import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';
import { downloadModel, graphModel } from './fake/answers.js';
import { GraphWorld } from './fake/world.js';

/** Microsoft Graph with its login, and the host that contents come from. */
export interface FakeGraph extends AsyncDisposable {
  readonly world: GraphWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
  readonly downloads: FakeService;
}

/** `linkOrigin`: the origin of links to further pages. Default: that of the service. */
export async function startFakeGraph(linkOrigin?: string): Promise<FakeGraph> {
  const world = new GraphWorld();
  const downloads = await startFakeService(downloadModel(world));
  const model = graphModel(world, () => downloads.origin);
  const service = await startFakeService({
    ...model,
    answer: (request) => model.answer({ ...request, origin: linkOrigin ?? request.origin }),
  });
  return {
    world,
    model,
    service,
    downloads,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await downloads.stop();
    },
  };
}
