export * from './ast.js';
