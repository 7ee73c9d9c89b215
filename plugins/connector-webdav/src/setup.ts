import type { SourceSetup } from '@trove/core';

/** The questions of `trove-server connector add webdav`. */
export const setup: SourceSetup = {
  address: {
    ask: 'Address of the folder (Nextcloud: Files, Settings, WebDAV)',
    read(text) {
      const url = text.trim().replace(/\/+$/, '');
      const [, scheme = 'https', rest = ''] =
        /^(?:(https?|webdavs?|davs?):\/\/)?([^\s?#@]+)$/i.exec(url) ?? [];
      if (rest === '') return 'Write it like cloud.example.com/remote.php/dav/files/ada.';
      if (scheme.toLowerCase() !== 'http') return { address: rest };
      return { address: rest.replaceAll(/[/:]/g, '-'), config: { url: `http://${rest}` } };
    },
  },
  questions: [
    { setting: 'user', ask: 'Name of the user', ifEmpty: 'a public folder' },
    {
      setting: 'password',
      ask: 'Password',
      help: 'With two-factor logins, create an app password. Nextcloud: Settings, Security, Devices & sessions.',
      when: ({ user }) => user !== undefined && user !== '',
    },
  ],
};
