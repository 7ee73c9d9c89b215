import { generateKeyPairSync } from 'node:crypto';

import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { bigQueryModel } from './fake/answers.js';
import { BigQueryWorld } from './fake/world.js';

/** A BigQuery with Google's token endpoint `/token`. */
export interface FakeBigQuery extends AsyncDisposable {
  readonly world: BigQueryWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
  /** The JSON key of a service account that may read the project. */
  readonly key: string;
}

export async function startFakeBigQuery(): Promise<FakeBigQuery> {
  const world = new BigQueryWorld();
  const model = bigQueryModel(world);
  const service = await startFakeService(model);
  return {
    world,
    model,
    service,
    key: newKey(world),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

/** Replaces the key of the service account and returns the new one as JSON. */
export function newKey(world: BigQueryWorld): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  world.serviceAccountKey = String(publicKey.export({ type: 'spki', format: 'pem' }));
  world.accessTokens.clear();
  return JSON.stringify({
    type: 'service_account',
    client_email: 'robot@example.com',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
}
