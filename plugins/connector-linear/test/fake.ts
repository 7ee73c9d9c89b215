import {
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import type { GraphQLSchema } from 'graphql';

import { linearModel, type LimitForm } from './fake/answers.js';
import { ownSchema } from './fake/schema.js';
import { LinearWorld } from './fake/world.js';

/** A Linear workspace, `acme`, that accepts the API key `lin_api_1`. */
export interface FakeLinear extends AsyncDisposable {
  readonly world: LinearWorld;
  readonly model: ServiceModel;
  readonly service: FakeService;
  /** Which limit the next refusal states. */
  limitForm: LimitForm;
}

/** Starts the fake. `schema`: another one than the part of it that the connector uses. */
export async function startFakeLinear(schema: GraphQLSchema = ownSchema): Promise<FakeLinear> {
  const world = new LinearWorld();
  const model = linearModel(world, schema, () => fake.limitForm);
  const service = await startFakeService(model);
  const fake: FakeLinear = {
    world,
    model,
    service,
    limitForm: 'requests',
    [Symbol.asyncDispose]: () => service.stop(),
  };
  return fake;
}
