import {
  startFakeService,
  type FakeService,
  type ServiceModel,
} from '@trove/test-support/fake-service/fake-service.js';
import { driveModel } from './fake/answers.js';
import { DriveWorld } from './fake/world.js';

/** A Google Drive with Google's endpoints for logins, such as `/token`. */
export interface FakeDrive extends AsyncDisposable {
  readonly world: DriveWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
}

export async function startFakeDrive(): Promise<FakeDrive> {
  const world = new DriveWorld();
  const model = driveModel(world);
  const service = await startFakeService(model);
  return { world, model, service, [Symbol.asyncDispose]: () => service.stop() };
}
