/** Programs whose terminals show links; others would print the address between the words. */
const programs = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio']);
const terminals = /^(?:alacritty|foot|xterm-kitty|xterm-ghostty|wezterm|contour)/;
const marks = ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION', 'DOMTERM'];
const FIRST_VTE = 5000;

/** Whether the terminal shows texts as links (OSC 8), as far as its environment tells; `FORCE_HYPERLINK` decides. */
export function knowsLinks(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_HYPERLINK'];
  if (forced !== undefined && forced !== '') return forced !== '0';
  const term = env['TERM'] ?? '';
  if (term === 'dumb' || /^(?:screen|tmux)/.test(term)) return false;
  return (
    programs.has(env['TERM_PROGRAM'] ?? '') ||
    terminals.test(term) ||
    marks.some((name) => env[name]) ||
    Number(env['VTE_VERSION'] ?? 0) >= FIRST_VTE
  );
}

/** A text as a link; control characters of the address are left out. */
export function linked(text: string, address: string): string {
  const safe = address.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  return `\u001b]8;;${safe}\u001b\\${text}\u001b]8;;\u001b\\`;
}
