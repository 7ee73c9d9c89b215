import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { githubModel } from './fake/answers.js';
import { GithubWorld } from './fake/world.js';

/** A GitHub of one repository, `acme/rocket`, that accepts the token `token-1`. */
export interface FakeGithub extends AsyncDisposable {
  readonly world: GithubWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeGithub(): Promise<FakeGithub> {
  const world = new GithubWorld();
  const model = githubModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
