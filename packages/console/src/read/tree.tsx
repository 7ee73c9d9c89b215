import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { navigate } from '../navigation.js';
import { shownName } from '../parts/names.js';
import { readHref } from './read-href.js';
import { rowsOf, type TreeRoot, type TreeRow } from './tree-rows.js';
import { useOpenFolders } from './use-open-folders.js';

interface Props {
  readonly roots: readonly TreeRoot[];
  /** The URI of the address. */
  readonly path: string;
  /** The folders above it, which are opened. */
  readonly ancestors: readonly string[];
}

const rowPixels = 28;
/** Rows above and below the visible ones. */
const spareRows = 10;

/** The sources and their folders. Only the visible rows are in the document. */
export function Tree({ roots, path, ancestors }: Props): JSX.Element {
  const { open, toggle } = useOpenFolders(ancestors);
  const rows = useMemo(() => rowsOf(roots, open), [roots, open]);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [activeKey, setActiveKey] = useState(path);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setHeight(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const place = rows.findIndex(({ key }) => key === path);
  useEffect(() => {
    setActiveKey(path);
    if (place >= 0) showRow(box.current, place);
  }, [path, place >= 0]);
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  );
  const activate = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setActiveKey(row.key);
    showRow(box.current, index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isHandled = handleKey(event.key, { row, rows, active, activate, toggle });
    if (isHandled) event.preventDefault();
  };
  const first = Math.max(0, Math.floor(top / rowPixels) - spareRows);
  const last = Math.ceil((top + height) / rowPixels) + spareRows;
  return (
    <div
      class="tree"
      ref={box}
      role="tree"
      aria-label="Sources"
      tabIndex={0}
      aria-activedescendant={`row-${active}`}
      onKeyDown={onKeyDown}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="tree-rows" role="presentation" style={{ height: `${rows.length * rowPixels}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <Row
            key={row.key}
            row={row}
            index={first + index}
            isActive={first + index === active}
            isShown={row.key === path}
            onSelect={() => {
              activate(first + index);
              select(row, toggle);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly isActive: boolean;
  readonly isShown: boolean;
  readonly onSelect: () => void;
}

function Row({ row, index, isActive, isShown, onSelect }: RowProps): JSX.Element {
  const { name, level, isFolder, isOpen, position, siblings, path } = row;
  return (
    <div
      id={`row-${index}`}
      class={`tree-row${isActive ? ' active' : ''}${path === null ? ' soft' : ''}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isFolder ? isOpen : undefined}
      aria-selected={isShown}
      title={shownName(name)}
      style={{ top: `${index * rowPixels}px`, paddingInlineStart: `${level * 14}px` }}
      onClick={onSelect}
    >
      <span class="tree-sign" aria-hidden="true">
        {isFolder ? (isOpen ? '▾' : '▸') : ''}
      </span>
      <bdi>{shownName(name)}</bdi>
    </div>
  );
}

/** Shows an entry. A folder is opened or closed. */
function select({ path, isFolder }: TreeRow, toggle: (path: string) => void): void {
  if (path === null) return;
  if (isFolder) toggle(path);
  navigate(readHref(path));
}

interface KeyContext {
  readonly row: TreeRow;
  readonly rows: readonly TreeRow[];
  readonly active: number;
  readonly activate: (index: number) => void;
  readonly toggle: (path: string) => void;
}

/** Handles the keys of a tree. Returns false for other keys. */
function handleKey(key: string, { row, rows, active, activate, toggle }: KeyContext): boolean {
  const canOpen = row.isFolder && row.path !== null;
  if (key === 'ArrowDown') activate(active + 1);
  else if (key === 'ArrowUp') activate(active - 1);
  else if (key === 'Home') activate(0);
  else if (key === 'End') activate(rows.length - 1);
  else if (key === 'ArrowRight' && canOpen && row.path !== null) {
    if (row.isOpen) activate(active + 1);
    else toggle(row.path);
  } else if (key === 'ArrowLeft') {
    if (row.isOpen && row.path !== null) toggle(row.path);
    else activate(rows.findLastIndex(({ level }, index) => index < active && level < row.level));
  } else if (key === 'Enter' || key === ' ') select(row, row.isOpen ? () => undefined : toggle);
  else return false;
  return true;
}

/** Scrolls the tree until a row is visible. */
function showRow(box: HTMLDivElement | null, index: number): void {
  if (box === null) return;
  const start = index * rowPixels;
  if (start < box.scrollTop) box.scrollTop = start;
  const bottom = start + rowPixels - box.clientHeight;
  if (bottom > box.scrollTop) box.scrollTop = bottom;
}
