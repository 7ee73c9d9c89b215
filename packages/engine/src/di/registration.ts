import {
  instanceCachingFactory,
  Lifecycle,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';

/** Resolves another dependency of the same container. */
export type Get = <T>(token: InjectionToken<T>) => T;

/** A class whose constructor parameters carry `@inject`. */
// oxlint-disable-next-line typescript/no-explicit-any -- the container supplies the parameters
export type InjectedClass<T> = new (...dependencies: any[]) => T;

/** Registers an existing value. */
export function registerValue<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  value: T,
): void {
  // The container treats null as a missing value.
  container.register(token, { useFactory: () => value });
}

/** Registers a function that makes the value once, on first use. */
export function registerFactory<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  make: (get: Get) => T,
): void {
  const get: Get = (dependency) => container.resolve(dependency);
  container.register(token, { useFactory: instanceCachingFactory(() => make(get)) });
}

/** Registers a class. The container makes one instance. */
export function registerClass<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  useClass: InjectedClass<T>,
): void {
  container.register(token, { useClass }, { lifecycle: Lifecycle.ContainerScoped });
}
