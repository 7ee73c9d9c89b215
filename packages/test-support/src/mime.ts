/** The parts of a message that tests differ in. */
export interface MimeMessage {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  /** The id of the message that it answers. */
  readonly inReplyTo?: string | undefined;
  /** Attached text files by name. */
  readonly files?: Readonly<Record<string, string>>;
}

const boundary = 'the-boundary';

/** Writes a message as mail servers store it. */
export function mimeOf(message: MimeMessage): string {
  const { messageId, from, to, subject, date, text, inReplyTo, files = {} } = message;
  const headers = [
    `Message-ID: <${messageId}>`,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date}`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: <${inReplyTo}>`]),
    'MIME-Version: 1.0',
  ];
  const body = ['Content-Type: text/plain; charset=utf-8', '', text];
  const parts = Object.entries(files).map(([name, content]) => [
    `Content-Type: text/plain; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    Buffer.from(content).toString('base64'),
  ]);
  if (parts.length === 0) return [...headers, ...body].join('\r\n');
  const lines = [body, ...parts].flatMap((part) => [`--${boundary}`, ...part]);
  const type = `Content-Type: multipart/mixed; boundary="${boundary}"`;
  return [...headers, type, '', ...lines, `--${boundary}--`, ''].join('\r\n');
}
