import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { slackModel } from './fake/answers.js';
import { SlackWorld } from './fake/world.js';

/** A Slack of one workspace, `acme`, that accepts the token `xoxb-1` of an app. */
export interface FakeSlack extends AsyncDisposable {
  readonly world: SlackWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeSlack(): Promise<FakeSlack> {
  const world = new SlackWorld();
  const model = slackModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
