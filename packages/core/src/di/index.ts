import 'reflect-metadata';

// tsyringe throws when imported before reflect-metadata, so all packages import it from here.
export { inject, injectable, instanceCachingFactory, Lifecycle } from 'tsyringe';
export type { DependencyContainer, InjectionToken } from 'tsyringe';
export * from './clock.js';
export * from './container.js';
export * from './tokens.js';
