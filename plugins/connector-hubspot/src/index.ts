import { hubspot } from './connector.js';

export { hubspot };
export default hubspot;
