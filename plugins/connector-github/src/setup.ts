import type { SourceSetup } from '@trove/core';

/** `git@HOST:owner/name.git` */
const ssh = /^git@([^:]+):/;
const repository = /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/.*)?$/;

export const setup: SourceSetup = {
  address: {
    ask: 'Repository (owner/name, or its web address)',
    read(text) {
      const url = toUrl(text.replace(ssh, 'https://$1/'));
      const [, address] = repository.exec(url?.pathname ?? '') ?? [];
      if (url === null || address === undefined)
        return 'Enter owner/name, such as octocat/hello-world.';
      const { origin, host } = url;
      if (host === 'github.com' || host === 'www.github.com') return { address };
      const base_url = host.endsWith('.ghe.com') ? `https://api.${host}` : `${origin}/api/v3`;
      return { address, config: { base_url } };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Access token',
      help: 'Create a fine-grained token at https://github.com/settings/personal-access-tokens/new. Select the repository, and the permissions Issues, Pull requests and Contents, all read-only. For a server of your own, open Settings > Developer settings there.',
      ifEmpty: 'enough for small public repositories',
    },
  ],
};

/** Names of owners have no dot, so a name with one is a host. */
function toUrl(text: string): URL | null {
  const full = /^https?:\/\//.test(text)
    ? text
    : /^[^/]*\./.test(text)
      ? `https://${text}`
      : `https://github.com/${text}`;
  return URL.canParse(full) ? new URL(full) : null;
}
