// For tools that need the compiler's API, which TypeScript 7 does not have: they get that of API Extractor's.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const extractor = createRequire(require.resolve('@microsoft/api-extractor'));
const url = pathToFileURL(extractor.resolve('typescript')).href;
const hook = `export const resolve = (name, context, next) =>
  name === 'typescript' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(name, context);`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
