import type { SourceSetup } from '@trove/core';

/** `https://discord.com/channels/SERVER/CHANNEL` */
const page = /^(?:https:\/\/)?(?:\w+\.)?discord\.com\/channels\/(\d{15,20})(?:\/.*)?$/;

export const setup: SourceSetup = {
  address: {
    ask: 'Server (its id, or the web address of a channel in it)',
    read(text) {
      const id = /^\d{15,20}$/.test(text) ? text : page.exec(text)?.[1];
      return id === undefined
        ? 'Open a channel of the server in a browser, and enter the address: https://discord.com/channels/….'
        : { address: id };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Token of the bot',
      help: 'Create an application at https://discord.com/developers/applications. Under Bot, turn on "Message Content Intent", and copy the token with "Reset Token". Under OAuth2, generate a URL with the scope bot and the permissions "View Channels" and "Read Message History", and open it to invite the bot to the server.',
    },
  ],
};
