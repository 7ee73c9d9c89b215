import { intercom } from './connector.js';

export { intercom };
export default intercom;
