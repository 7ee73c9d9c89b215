export * from '@trove/engine/di';
