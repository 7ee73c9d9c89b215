/** Wraps text to style it on a terminal. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const unstyled = (text: string) => text;

/** Style for output that is not a terminal. */
export const plainStyle: Style = {
  bold: unstyled,
  dim: unstyled,
  red: unstyled,
  green: unstyled,
  yellow: unstyled,
  cyan: unstyled,
};

const ansi = (on: number, off: number) => (text: string) =>
  text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

const ansiStyle: Style = {
  bold: ansi(1, 22),
  dim: ansi(2, 22),
  red: ansi(31, 39),
  green: ansi(32, 39),
  yellow: ansi(33, 39),
  cyan: ansi(36, 39),
};

/** Uses colours only on terminals, unless `NO_COLOR` disables them. */
export function styleFor(isTerminal: boolean, env: NodeJS.ProcessEnv): Style {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? ansiStyle : plainStyle;
}
