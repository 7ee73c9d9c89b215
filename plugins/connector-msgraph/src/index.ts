import { onedrive } from './drives/onedrive.js';
import { sharepoint } from './drives/sharepoint.js';
import { outlook } from './outlook/outlook.js';

export { onedrive, outlook, sharepoint };
export default [onedrive, sharepoint, outlook];
