// oxlint-disable-next-line no-restricted-imports -- the only import of the global container, which only hands out empty
// children
import { container, type DependencyContainer } from 'tsyringe';

/** An independent container that shares nothing with any other. */
export function createContainer(): DependencyContainer {
  return container.createChildContainer();
}
