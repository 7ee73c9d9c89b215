import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
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
