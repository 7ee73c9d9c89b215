/* Safe access to files of this machine, for sources of local files. */

export { assertPathAllowed, isWithin, type PathAccess } from './path-access.js';
export {
  isOpenedAt,
  openAt,
  resolvePath,
  realPathOf,
  statAt,
  type ResolvedPath,
} from './resolved-path.js';
