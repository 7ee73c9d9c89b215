import { cloud } from './cloud.js';
import { dataCenter } from './data-center.js';
import { isCloud } from './site.js';

/** Pages of Confluence with their comments and attachments: `confluence://acme`, `confluence://acme/OPS`. */
const confluence: typeof cloud = {
  ...cloud,
  create: (context) => (isCloud(context.config) ? cloud : dataCenter).create(context),
};

export default confluence;
