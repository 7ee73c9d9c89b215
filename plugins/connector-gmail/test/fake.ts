import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';
import { gmailModel } from './fake/answers.js';
import { GmailWorld } from './fake/world.js';

/** A Gmail mailbox with Google's endpoint for tokens. */
export interface FakeGmail extends AsyncDisposable {
  readonly world: GmailWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeGmail(): Promise<FakeGmail> {
  const world = new GmailWorld();
  const model = gmailModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
