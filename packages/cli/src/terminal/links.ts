/** Terminals that support links. Others would print the URL. */
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

/** Tests if the terminal supports links (OSC 8). `FORCE_HYPERLINK` overrides the environment. */
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

/** Makes a text a link. Removes control characters from the URL. */
export function toLink(text: string, address: string): string {
  const safe = address.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  return `\u001b]8;;${safe}\u001b\\${text}\u001b]8;;\u001b\\`;
}
