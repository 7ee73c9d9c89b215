import 'reflect-metadata';

// tsyringe throws when it is imported before reflect-metadata, so everyone takes it from here.
export { inject, injectable, Lifecycle } from 'tsyringe';
export type { ClassProvider, DependencyContainer, InjectionToken } from 'tsyringe';
export * from './container.js';
export * from './tokens.js';
