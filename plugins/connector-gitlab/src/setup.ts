import type { SourceSetup } from '@trove/core';

/** The path of a project, also with the address of its page before and after. */
const project =
  /^(?:(https?:\/\/[^/]+)\/)?((?:\w[\w.+-]*\/)+\w[\w.+-]*?)(?:\.git)?(?:\/-\/.*)?\/?$/;

export const setup: SourceSetup = {
  address: {
    ask: 'Project (group/project, or its web address)',
    read(text) {
      const web = text
        .replace(/^git@([^:]+):/, 'https://$1/')
        .replace(/^gitlab\.com\//, 'https://$&');
      const [, site, address] = project.exec(web) ?? [];
      if (address === undefined) return 'Enter group/project, such as gitlab-org/cli.';
      return site === undefined || site === 'https://gitlab.com'
        ? { address }
        : { address, config: { base_url: site } };
    },
  },
  questions: [
    {
      setting: 'token',
      ask: 'Access token',
      help: 'Create a token in GitLab under Preferences > Access tokens, or under Settings > Access tokens of the project, with the scope read_api and at least the role Reporter.',
      ifEmpty: 'public projects only',
    },
  ],
};
