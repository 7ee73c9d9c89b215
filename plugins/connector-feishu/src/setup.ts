import type { SourceSetup } from '@trove/core';

const host =
  /^(?:https:\/\/)?([\w-]+)((?:\.feishu\.cn|\.larksuite\.com)(\/[\w/-]*)?)?(?:[?#].*)?$/i;

export const setup: SourceSetup = {
  address: {
    ask: 'Tenant (acme of acme.feishu.cn), or the link of a page or folder',
    read: (text) => {
      const [, name, rest = ''] = host.exec(text.replace(/^(?:feishu|lark):\/\//, '')) ?? [];
      if (name === undefined)
        return 'Enter the name of the tenant, such as acme, or a link of Feishu.';
      const [, domain = '', path = ''] = /^(\.[\w.]+)(.*)$/.exec(rest) ?? [];
      const page = /^\/(?:wiki|docx|drive\/folder)\/\w+/.exec(path)?.[0] ?? '';
      if (page !== '') return { address: `${name}${domain}${page}` };
      return { address: domain === '.larksuite.com' ? `${name}${domain}` : name };
    },
  },
  questions: [
    {
      setting: 'app_id',
      ask: 'App ID (cli_…)',
      help: 'Create a custom app at https://open.feishu.cn/app, with a bot. Under "Permissions & Scopes", add im:chat:readonly, im:message:readonly, im:message.group_msg, wiki:wiki:readonly, docx:document:readonly and drive:drive:readonly. Publish a version. Add the bot to chats, and the app to wikis as a reader.',
    },
    { setting: 'app_secret', ask: 'App Secret' },
  ],
};
