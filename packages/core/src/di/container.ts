// oxlint-disable-next-line no-restricted-imports -- the one place: only empty children of it are handed out
import { container, type DependencyContainer } from 'tsyringe';

/** A container of its own, which shares nothing with any other. */
export function createContainer(): DependencyContainer {
  return container.createChildContainer();
}
