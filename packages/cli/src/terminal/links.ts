/** Programs whose terminals show links; others would print the address between the words. */
const terminalPrograms = new Set([
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'Hyper',
  'Tabby',
  'rio',
]);
const terminalNames = /^(?:alacritty|foot|xterm-kitty|xterm-ghostty|wezterm|contour)/;
const terminalVariables = ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION', 'DOMTERM'];
const minVteVersion = 5000;

/** Whether the terminal shows texts as links (OSC 8), as far as its environment tells; `FORCE_HYPERLINK` decides. */
export function supportsLinks(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_HYPERLINK'];
  if (forced !== undefined && forced !== '') return forced !== '0';
  const term = env['TERM'] ?? '';
  if (term === 'dumb' || /^(?:screen|tmux)/.test(term)) return false;
  return (
    terminalPrograms.has(env['TERM_PROGRAM'] ?? '') ||
    terminalNames.test(term) ||
    terminalVariables.some((name) => env[name]) ||
    Number(env['VTE_VERSION'] ?? 0) >= minVteVersion
  );
}

/** A text as a link; control characters of the address are left out. */
export function toLink(text: string, address: string): string {
  const safe = address.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  return `\u001b]8;;${safe}\u001b\\${text}\u001b]8;;\u001b\\`;
}
