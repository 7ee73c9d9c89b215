import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';

import { discordModel } from './fake/answers.js';
import { DiscordWorld } from './fake/world.js';

/** A Discord with one server that accepts the token `bot-token-1`. */
export interface FakeDiscord extends AsyncDisposable {
  readonly world: DiscordWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeDiscord(): Promise<FakeDiscord> {
  const world = new DiscordWorld();
  const model = discordModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
