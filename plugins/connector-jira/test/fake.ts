import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { jiraModel } from './fake/answers.js';
import { JiraWorld, type Edition } from './fake/world.js';

/** A Jira site. Cloud accepts `ann@acme.example` with the API token `token-1`, a data centre the token `token-1`. */
export interface FakeJira extends AsyncDisposable {
  readonly world: JiraWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeJira(edition: Edition = 'cloud'): Promise<FakeJira> {
  const world = new JiraWorld(edition);
  const model = jiraModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
