import { UsageError } from '../errors.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The line that tells a shell to complete file names. */
export const filesLine = ':files';

/** Returns the completion script of a shell. It calls the program with the words typed so far. */
export function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program, `_${program.replaceAll('-', '_')}`);
}

const scripts: Readonly<Record<Shell, (program: string, name: string) => string>> = {
  bash: (program, name) => `# ${program}: eval "$(${program} completion bash)"
${name}() {
  local IFS=$'\\n' line
  COMPREPLY=()
  for line in $(${program} complete bash -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null); do
    if [[ $line == '${filesLine}' ]]; then
      compopt -o default -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
    else
      COMPREPLY+=("$line")
      [[ $line == */ ]] && compopt -o nospace 2>/dev/null
    fi
  done
}
complete -F ${name} ${program}
`,
  zsh: (program, name) => `#compdef ${program}
# ${program}: eval "$(${program} completion zsh)", after compinit
${name}() {
  local line value
  local -a plain folders
  for line in "\${(@f)$(${program} complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    value="\${line%%$'\\t'*}"
    if [[ $value == '${filesLine}' ]]; then _files
    elif [[ $value == */ ]]; then folders+=("$value")
    elif [[ -n $value ]]; then plain+=("$value")
    fi
  done
  (( \${#folders} )) && compadd -S '' -a folders
  (( \${#plain} )) && compadd -a plain
}
compdef ${name} ${program}
`,
  fish: (program, name) => `# ${program}: ${program} completion fish | source
function _${name}_complete
  set -l words (commandline -opc)
  set -e words[1]
  for line in (${program} complete fish -- $words (commandline -ct) 2>/dev/null)
    if test "$line" = '${filesLine}'
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c ${program} -f -a '(_${name}_complete)'
`,
};

/** Splits a line of bash up to the cursor into words. The last word may be incomplete or empty. */
export function wordsOfLine(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const unit of line.match(/\\.|./gsu) ?? []) {
    if (quote !== '') {
      if (unit === quote) quote = '';
      else word = (word ?? '') + unit;
    } else if (unit === '"' || unit === "'") {
      quote = unit;
      word ??= '';
    } else if (/^\s$/.test(unit)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + (unit.length > 1 ? unit.slice(1) : unit);
  }
  return [...words, word ?? ''];
}

/** Escapes a candidate for bash, which keeps the text before a colon and quotes nothing itself. */
export function escapeForBash(value: string, current: string): string {
  const kept = current.lastIndexOf(':') + 1;
  return value.slice(kept).replace(/[\s"'\\$`!&|;<>()*?[\]{}#~]/g, '\\$&');
}

/** Returns the shell of this name. Throws a UsageError for other names. */
export function shellOf(text: string): Shell {
  const shell = shells.find((name) => name === text);
  if (shell === undefined) throw new UsageError(`SHELL must be one of ${shells.join(', ')}`);
  return shell;
}
