/** The bytes of a part as they were attached. */
export function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? unquoted(bytes) : bytes;
}

function unquoted(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replaceAll(/[ \t]+(?=\r?\n|$)/g, '')
    .replaceAll(/=\r?\n/g, '');
  return Buffer.from(
    text.replaceAll(/=([0-9a-fA-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  );
}
