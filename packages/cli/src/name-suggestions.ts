import type { NameSuggestions } from '@trove/commands';

/** Names from ripgrep, grep and other search engines, and their counterparts here. */
export const nameSuggestions: NameSuggestions = {
  commands: new Map([
    ['trove index', 'trove add'],
    ['trove sync', 'trove add'],
    ['trove find', 'trove search'],
    ['trove start', 'trove serve start'],
    ['trove stop', 'trove serve stop'],
    ['trove logs', 'trove serve logs'],
    ['trove setup', 'trove-server setup'],
  ]),
  options: new Map([
    ['include', "-g 'GLOB'"],
    ['exclude', "-g '!GLOB'"],
    ['exclude-dir', "-g '!FOLDER'"],
    ['iglob', "-g 'GLOB'"],
    ['extended-regexp', '-E'],
    ['perl-regexp', '-E'],
    ['pcre2', '-E'],
  ]),
  synonyms: [
    {
      names: new Set('n limit max num number count size top first k'.split(' ')),
      ownNames: ['limit', 'top-k', 'lines'],
    },
  ],
};
