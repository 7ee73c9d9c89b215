/** Elements that show nothing, show it elsewhere, or lead through a site instead of being what its page says. */
const skippedElements = new Set(
  'script style noscript template svg nav iframe object embed canvas audio video select textarea button dialog map'.split(
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
export const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

export type HtmlAttributes = Readonly<Record<string, string>>;

/** Nothing is read of these. What is only folded away until somebody opens it (`isFolded`) is read all the same. */
export function isSkipped(name: string, attributes: HtmlAttributes): boolean {
  // An open dialog is part of what the page shows.
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

/** Names that panels of tabs, answers and other parts to be opened have in their class or id. */
const foldNames =
  /(?:^|[\s_-])(?:tabs?|tab-?(?:panel|pane|content)s?|panel|pane|accordion|collaps\w*|fold\w*|answers?|faqs?|toggle\w*|expand\w*|details?|spoiler|reveal|disclosure|code-?(?:block|group|variant))(?:[\s_-]|\d|$)/i;
/** What nobody opens to read on. */
const asideNames =
  /(?:^|[\s_-])(?:modal|dialog|popup|popover|tooltip|menu|nav(?:bar)?|dropdown|cookie|consent|overlay|lightbox|toast|search|skip|sr-only|visually-hidden|print-only|template|clone)(?:[\s_-]|$)/i;

/**
 * Whether a hidden element holds a part of the page that is shown when it is opened: the panel of a tab, an answer.
 * `isOpened`: something on the page opens it.
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

/** Whether a button shows a part of the page, and not a menu or dialog. */
export function opensPanel(attributes: HtmlAttributes): boolean {
  const { role, 'aria-controls': controls, class: classes = '', id = '' } = attributes;
  if (role === 'tab') return true;
  const isAside = asideNames.test(`${classes} ${id} ${controls ?? ''}`);
  return controls !== undefined && !isAside && !Object.hasOwn(attributes, 'aria-haspopup');
}

/** What may be a panel besides blocks. */
const foldable = new Set(['pre', 'table', 'tr', 'tbody']);

/** The ids of elements that an element opens. */
export function controlledBy(attributes: HtmlAttributes): readonly string[] {
  const { 'aria-controls': controls = '', href = '' } = attributes;
  const target = attributes['data-target'] ?? attributes['data-bs-target'] ?? href;
  const ids = controls.split(/\s+/);
  return [...ids, ...(target.startsWith('#') ? [target.slice(1)] : [])].filter((id) => id !== '');
}

export function isBlock(name: string): boolean {
  return blocks.has(name);
}

/** 1 to 6; 0 for what is no heading. */
export function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}
