import { relative, sep } from 'node:path';

const LOCAL = 'file://local';

interface Place {
  readonly cwd: string;
  readonly local: boolean;
}

/** A URI in the form a person would write: a local file as a path, relative if below the working directory. */
export function displayUri(uri: string, { cwd, local }: Place): string {
  if (!local || !(uri === LOCAL || uri.startsWith(`${LOCAL}/`))) return uri;
  const path = decode(uri.slice(LOCAL.length)) || '/';
  const below = relative(cwd, path);
  const outside = below === '..' || below.startsWith(`..${sep}`);
  if (outside || below === '') return path;
  return /^[-~]/.test(below) ? `./${below}` : below;
}

/** A text of the server, with the local files in it as `displayUri` shows them. */
export function displayText(text: string, place: Place): string {
  return text.replace(/file:\/\/local\/[^\s"'`<>]*/g, (run) => {
    const uri = run.replace(/[.,:;)]+$/, '');
    return displayUri(uri, place) + run.slice(uri.length);
  });
}

function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Quotes an argument for a shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
