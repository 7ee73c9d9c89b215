import type { NameSuggestions } from '@trove/commands';

/** Names that users know from other servers and from `trove`. */
export const nameSuggestions: NameSuggestions = {
  commands: new Map([
    ['trove-server start', 'trove-server run'],
    ['trove-server serve', 'trove-server run'],
    ['trove-server stop', 'trove serve stop'],
    ['trove-server logs', 'trove serve logs'],
    ['trove-server check', 'trove-server reload'],
    ['trove-server config', 'trove-server reload'],
    ['trove-server init', 'trove-server setup'],
    ['trove-server add', 'trove-server connector add'],
    ['trove-server login', 'trove-server connector login'],
    ['trove-server list', 'trove-server connector list'],
    ['trove-server search', 'trove search'],
    ['trove-server status', 'trove status'],
    ['trove-server doctor', 'trove doctor'],
    ['trove-server vacuum', 'trove-server compact'],
  ]),
  options: new Map(),
  synonyms: [
    { names: new Set(['port', 'p', 'listen', 'host', 'address', 'addr', 'b']), ownNames: ['bind'] },
    { names: new Set(['c', 'file', 'f', 'conf', 'settings']), ownNames: ['config'] },
    { names: new Set(['threads', 'workers', 'jobs', 'j', 'n']), ownNames: ['concurrency'] },
    { names: new Set(['without', 'skip', 'ignore']), ownNames: ['exclude'] },
    { names: new Set(['option', 'o', 'key']), ownNames: ['set'] },
  ],
};
