export * from './fake-service.js';
export * from './faults.js';
