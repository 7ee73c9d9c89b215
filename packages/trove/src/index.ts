export * from '@trove/engine';
