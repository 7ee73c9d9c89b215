export { fetchWithoutTimeout } from './fetch-without-timeout.js';
