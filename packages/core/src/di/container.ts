// oxlint-disable-next-line no-restricted-imports -- the one place; it only hands out empty child containers
import { container, type DependencyContainer } from 'tsyringe';

/** Creates an independent container. */
export function createContainer(): DependencyContainer {
  return container.createChildContainer();
}
