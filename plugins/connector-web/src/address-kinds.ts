import { mediaTypeOf } from '@trove/text/media-types';

/** Endings of files without text, and of archives. */
const unwantedEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|map|wasm|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|flac|avi|mov|mkv|zip|gz|tgz|bz2|xz|7z|rar|jar|war|exe|msi|dmg|pkg|deb|rpm|apk|iso|img|bin|rss|atom)$/i;
const documentEnding =
  /\.(?:pdf|docx|pptx|xlsx|odt|odp|ods|epub|rtf|ipynb|eml|msg|md|markdown|txt|csv|tsv|json|ya?ml|toml|rst|adoc|log)$/i;
const documentTypes = new Set([
  'application/pdf',
  'application/epub+zip',
  'application/json',
  'application/rtf',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-ipynb+json',
  'application/yaml',
  'message/rfc822',
]);
const unwantedTexts = new Set(['text/css', 'text/javascript', 'text/xml', 'text/calendar']);
/** Media types that do not describe the content. */
const genericTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Returns whether an address looks like a picture, a script, an archive or a similar file. */
export function isUnwanted({ pathname }: URL): boolean {
  return unwantedEnding.test(pathname);
}

export function isLikelyDocument({ pathname }: URL): boolean {
  return documentEnding.test(pathname);
}

export function isPageType(mediaType: string): boolean {
  return mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
}

export function isDocumentType(mediaType: string): boolean {
  if (documentTypes.has(mediaType)) return true;
  return mediaType.startsWith('text/') && !unwantedTexts.has(mediaType);
}

/** Returns the media type of a response from its header, else from its address; '' if both are unknown. */
export function responseMediaType({ headers }: Response, { pathname }: URL): string {
  const stated = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return genericTypes.has(stated) ? (mediaTypeOf(pathname) ?? '') : stated;
}
