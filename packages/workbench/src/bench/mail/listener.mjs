import { ImapFlow } from 'imapflow';

/** A client of a mail server that does nothing but listen: `heard()` resolves once it is told of the next message. */
export async function listener({ port, user, password }) {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
  });
  await client.connect();
  await client.mailboxOpen('INBOX', { readOnly: true });
  void client.idle();
  return {
    heard: () => new Promise((resolve) => client.once('exists', resolve)),
    stop: () => client.logout(),
  };
}
