/** Elements that show nothing, show it elsewhere, or lead through a site instead of being what its page says. */
const unread = new Set(
  'script style noscript template svg math nav iframe object embed canvas audio video select textarea button dialog map'.split(
    ' ',
  ),
);

/** Elements that begin and end on a line of their own. */
const blocks = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hgroup html legend li main ol p section summary ul'.split(
    ' ',
  ),
);

/** Elements that are closed as soon as they are opened. */
export const childless = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

export type Attributes = Readonly<Record<string, string>>;

export function isUnread(name: string, attributes: Attributes): boolean {
  return (
    unread.has(name) ||
    Object.hasOwn(attributes, 'hidden') ||
    attributes['aria-hidden'] === 'true' ||
    attributes['role'] === 'navigation' ||
    /(?:^|[;\s])display\s*:\s*none/i.test(attributes['style'] ?? '')
  );
}

export function isBlock(name: string): boolean {
  return blocks.has(name);
}

/** 1 to 6; 0 for what is no heading. */
export function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}
