import { command } from '../session/command.js';
import { consoleLink } from '../session/console-link.js';

export const consoleCommand = command({
  name: 'console',
  description: 'Print a link to the web page of the server that signs you in',
  args: {},
  notes: [
    'The page searches, reads, adds and manages sources. The link signs you in once, within ten minutes.',
    'Open the link yourself: other users of this machine may see the addresses that a program opens.',
    'With a token of `trove token create`, the page asks for this token instead.',
  ],
  examples: [{ command: 'trove console', does: 'print the link' }],
  async run(_args, cli) {
    // Reports a server that does not answer.
    await cli.client.server.healthz();
    const url = consoleLink(cli, cli.endpoint);
    if (cli.json) return cli.printJson({ url });
    await cli.out.line(url);
  },
});
