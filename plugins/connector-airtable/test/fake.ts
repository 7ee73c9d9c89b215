import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';

import { airtableModel } from './fake/answers.js';
import { AirtableWorld } from './fake/world.js';

/** A fake of Airtable that accepts the token `pat-1`. */
export interface FakeAirtable extends AsyncDisposable {
  readonly world: AirtableWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeAirtable(): Promise<FakeAirtable> {
  const world = new AirtableWorld();
  const model = airtableModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
