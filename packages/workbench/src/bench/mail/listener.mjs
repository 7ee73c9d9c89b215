import { ImapFlow } from 'imapflow';

/** A mail client that only listens. `heard()` resolves at the next notification. */
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
