export * from './fake-service.js';
export * from './faults.js';
export { startHttpFake, type HttpFake, type HttpFakeOptions } from './start-fake.js';
export type { FakeHandler } from './described-service.js';
export type { StreamAnswer } from './fake-world.js';
export type { ItemChanges } from './item-changes.js';
export type { FakeItem } from './stored-items.js';
export type { FaultKind } from './stream-faults.js';
export type { FakeSubject, SubjectOptions } from './subject.js';
