/** Elements without visible text, and elements for navigation. */
const skippedElements = new Set(
  'script style noscript template svg nav iframe object embed canvas audio video select textarea button dialog map'.split(
    ' ',
  ),
);

/** Elements that start and end on their own line. */
const blocks = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hgroup html legend li main ol p section summary ul'.split(
    ' ',
  ),
);

/** Elements without content. */
export const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

export type HtmlAttributes = Readonly<Record<string, string>>;

/** Whether an element is skipped. Hidden elements that the page can open (`isCollapsed`) are read nevertheless. */
export function isSkipped(name: string, attributes: HtmlAttributes): boolean {
  // An open dialog is visible.
  const isUnreadName = skippedElements.has(name) && !(name === 'dialog' && 'open' in attributes);
  return isUnreadName || attributes['role'] === 'navigation' || isHidden(attributes);
}

function isHidden(attributes: HtmlAttributes): boolean {
  return (
    Object.hasOwn(attributes, 'hidden') ||
    attributes['aria-hidden'] === 'true' ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes['style'] ?? '')
  );
}

/** Names in the class or id of panels, answers and other expandable parts. */
const foldNames =
  /(?:^|[\s_-])(?:tabs?|tab-?(?:panel|pane|content)s?|panel|pane|accordion|collaps\w*|fold\w*|answers?|faqs?|toggle\w*|expand\w*|details?|spoiler|reveal|disclosure|code-?(?:block|group|variant))(?:[\s_-]|\d|$)/i;
/** Names of elements that do not continue the text. */
const asideNames =
  /(?:^|[\s_-])(?:modal|dialog|popup|popover|tooltip|menu|nav(?:bar)?|dropdown|cookie|consent|overlay|lightbox|toast|search|skip|sr-only|visually-hidden|print-only|template|clone)(?:[\s_-]|$)/i;

/**
 * Whether a hidden element is an expandable part of the page, such as the panel of a tab or an answer. `isOpened`: an
 * element of the page opens it.
 */
export function isCollapsed(name: string, attributes: HtmlAttributes, isOpened: boolean): boolean {
  if (
    !isHidden(attributes) ||
    skippedElements.has(name) ||
    !(blocks.has(name) || foldable.has(name))
  )
    return false;
  const { role = '', hidden, class: classes = '', id = '' } = attributes;
  const names = `${classes} ${id}`;
  if (
    asideNames.test(names) ||
    /^(?:dialog|alertdialog|menu|navigation|tooltip|search)$/.test(role)
  )
    return false;
  return (
    role === 'tabpanel' ||
    hidden === 'until-found' ||
    name === 'dd' ||
    name === 'pre' ||
    isOpened ||
    Object.hasOwn(attributes, 'aria-labelledby') ||
    foldNames.test(names)
  );
}

/** Whether a button opens a part of the page, rather than a menu or dialog. */
export function opensPanel(attributes: HtmlAttributes): boolean {
  const { role, 'aria-controls': controls, class: classes = '', id = '' } = attributes;
  if (role === 'tab') return true;
  const isAside = asideNames.test(`${classes} ${id} ${controls ?? ''}`);
  return controls !== undefined && !isAside && !Object.hasOwn(attributes, 'aria-haspopup');
}

/** Elements besides blocks that may be panels. */
const foldable = new Set(['pre', 'table', 'tr', 'tbody']);

/** Returns the ids of the elements that an element opens. */
export function controlledBy(attributes: HtmlAttributes): readonly string[] {
  const { 'aria-controls': controls = '', href = '' } = attributes;
  const target = attributes['data-target'] ?? attributes['data-bs-target'] ?? href;
  const ids = controls.split(/\s+/);
  return [...ids, ...(target.startsWith('#') ? [target.slice(1)] : [])].filter((id) => id !== '');
}

export function isBlock(name: string): boolean {
  return blocks.has(name);
}

/** Returns 1 to 6, or 0 for other elements. */
export function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}
