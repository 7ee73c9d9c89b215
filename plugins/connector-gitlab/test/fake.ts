import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { gitlabModel } from './fake/answers.js';
import { GitlabWorld } from './fake/world.js';

/** A GitLab of one project, `acme/tools/rocket`, that accepts the token `token-1`. */
export interface FakeGitlab extends AsyncDisposable {
  readonly world: GitlabWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeGitlab(): Promise<FakeGitlab> {
  const world = new GitlabWorld();
  const model = gitlabModel(world);
  const service = await startFakeService(model);
  world.html = service.origin;
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
