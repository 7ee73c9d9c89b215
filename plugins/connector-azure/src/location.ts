import { parseUri, TroveError } from '@trove/core';
import { rootKeyOf } from '@trove/connector-kit/storage';

/** The container and folder of a target. */
export interface BlobLocation {
  readonly account: string;
  readonly container: string;
  /** Name of a folder without a final slash, or of one blob; '' for the whole container. */
  readonly name: string;
}

/** Finds the container and folder of a target. Throws `validation_error` without one. */
export function blobLocationOf(target: string): BlobLocation {
  const { authority, path } = parseUri(target);
  const [account = ''] = authority.toLowerCase().split('.');
  const [container = '', ...names] = path.slice(1).split('/');
  if (
    !/^[a-z0-9]{3,24}$/.test(account) ||
    !/^(?:\$root|\$web|[a-z0-9][a-z0-9-]{2,62})$/.test(container)
  ) {
    throw new TroveError('validation_error', `target: ${target.slice(0, 200)} names no container`, {
      suggestions: [
        'Write azure://ACCOUNT/CONTAINER, or azure://ACCOUNT/CONTAINER/FOLDER for a part of it.',
      ],
    });
  }
  return { account, container, name: rootKeyOf(target, names.join('/')) };
}
