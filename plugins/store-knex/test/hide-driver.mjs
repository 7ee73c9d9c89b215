// Makes the packages in HIDDEN_DRIVERS unavailable to the process that imports this.
import { register } from 'node:module';

const hooks = `export async function resolve(name, context, next) {
  if (!(process.env.HIDDEN_DRIVERS ?? '').split(',').includes(name)) return next(name, context);
  throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
