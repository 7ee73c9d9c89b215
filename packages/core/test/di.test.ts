import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  createContainer,
  inject,
  injectable,
  Lifecycle,
  LoggerToken,
  createToken,
} from '../src/di/index.js';
import { silentLogger, type Logger } from '../src/index.js';

const test = suite('di');

const ClockToken = createToken<() => number>('test.clock');
const ServiceToken = createToken<Service>('test.service');

@injectable()
class Service {
  readonly now: number;
  readonly logger: Logger;

  constructor(@inject(ClockToken) clock: () => number, @inject(LoggerToken) logger: Logger) {
    this.now = clock();
    this.logger = logger;
  }
}

test('containers are independent', () => {
  const [first, second] = [1, 2].map((now) => {
    const container = createContainer();
    container.register(ClockToken, { useValue: () => now });
    container.register(LoggerToken, { useValue: silentLogger });
    container.register(
      ServiceToken,
      { useClass: Service },
      { lifecycle: Lifecycle.ContainerScoped },
    );
    return container;
  });
  assert.is(first?.resolve(ServiceToken).now, 1);
  assert.is(second?.resolve(ServiceToken).now, 2);
  assert.is(
    first?.resolve(ServiceToken),
    first?.resolve(ServiceToken),
    'one instance per container',
  );
  assert.is(first?.resolve(ServiceToken).logger, silentLogger);
});

test('the error names an unregistered token', () => {
  assert.throws(() => createContainer().resolve(ServiceToken), /test\.service/);
});

test('equal names give the same token in every copy of a package', () => {
  assert.is(createToken<number>('test.same'), createToken<number>('test.same'));
});

test.run();
