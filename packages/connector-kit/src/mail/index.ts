export type { MailAttachment } from './attachment-names.js';
export {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  parseMailPath,
  recordOf,
  type MailMessage,
  type MailPath,
  type MessageKey,
} from './objects.js';
export { parseMail, type Mail } from './parse.js';
export { readAttachment, readMail } from './read-mail.js';
export { createMailboxConnector, type MailboxOptions } from './mailbox/mailbox-connector.js';
export { readResponse } from './mailbox/read-response.js';
export type {
  FetchedMail,
  KnownMail,
  ListedMail,
  MailboxService,
  MailChanges,
  MailPage,
  TrackedPage,
} from './mailbox/service.js';
