import { confluence } from './connector.js';

export { confluence };
export default confluence;
