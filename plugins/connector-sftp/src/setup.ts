import type { SourceSetup } from '@trove/core';

/** The questions of `trove-server connector add sftp`. */
export const setup: SourceSetup = {
  address: {
    ask: 'Folder (user@host/path)',
    read(text) {
      const address = text
        .trim()
        .replace(/^sftp:\/\//i, '')
        .replace(/^([^/]+):(?=\/)/, '$1');
      if (!/^[^\s@/:]+@[^\s@/]+(?:\/.*)?$/.test(address))
        return 'Write it like ada@files.example.com/srv/docs.';
      return { address };
    },
  },
  questions: [
    {
      ask: 'How does the user log in?',
      choices: [
        {
          label: 'Private key',
          questions: [
            {
              setting: 'private_key',
              ask: 'File of the private key, such as /home/ada/.ssh/id_ed25519',
              isFile: true,
            },
            { setting: 'passphrase', ask: 'Passphrase of the key', ifEmpty: 'no passphrase' },
          ],
        },
        { label: 'Password', questions: [{ setting: 'password', ask: 'Password' }] },
      ],
    },
    {
      setting: 'host_key',
      ask: 'Fingerprint of the server (SHA256:…)',
      help: 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub on the server shows it.',
      ifEmpty: 'the keys in ~/.ssh/known_hosts',
    },
  ],
};
