import { generateKeyPairSync } from 'node:crypto';

import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { snowflakeModel } from './fake/answers.js';
import { SnowflakeWorld } from './fake/world.js';

/** The SQL API of a Snowflake account. */
export interface FakeSnowflake extends AsyncDisposable {
  readonly world: SnowflakeWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
  /** The private key of the user, in PEM. */
  readonly key: string;
}

export async function startFakeSnowflake(): Promise<FakeSnowflake> {
  const world = new SnowflakeWorld();
  const model = snowflakeModel(world);
  const service = await startFakeService(model);
  return {
    world,
    model,
    service,
    key: replaceKey(world),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

/** Gives the user a new key pair and returns the private key in PEM. */
export function replaceKey(world: SnowflakeWorld): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  world.publicKeys = [String(publicKey.export({ type: 'spki', format: 'pem' }))];
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
