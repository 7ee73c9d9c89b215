/* Files of this machine, as sources of local files have to read them. */

export { assertPathAllowed, isWithin, type PathAccess } from './path-access.js';
export {
  isOpenedAt,
  openAt,
  resolvePath,
  realPathOf,
  statAt,
  type ResolvedPath,
} from './resolved-path.js';
