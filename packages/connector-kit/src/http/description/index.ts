export type * from './auth.js';
export type * from './error-rule.js';
export type * from './paging.js';
export type * from './service.js';
export type * from './stream.js';
export type * from './value.js';
