import { zendesk } from './connector.js';

export { zendesk };
export default zendesk;
