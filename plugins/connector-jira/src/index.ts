import { jira } from './connector.js';

export { jira };
export default jira;
