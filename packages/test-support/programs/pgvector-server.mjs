// Runs PostgreSQL with pgvector in this process (PGlite) until standard input ends. Serves one connection at a time
// while the others wait. Prints its URL when it accepts connections.
import { createServer } from 'node:net';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite/vector';

const terminateType = 'X'.charCodeAt(0);

const database = await PGlite.create({ extensions: { vector } });
let turn = Promise.resolve();
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  turn = turn.then(() => serve(socket)).catch((error) => console.error(error));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`postgres://postgres@127.0.0.1:${server.address().port}/postgres`);
});
process.stdin.resume().once('close', () => process.exit());

/** Passes on each complete message of a connection until it ends, then resets the session. */
async function serve(socket) {
  const messages = messageReader();
  try {
    for await (const bytes of socket) {
      for (const message of messages(bytes)) {
        if (message[0] === terminateType) return;
        const answer = await database.execProtocolRaw(message, { syncToFs: false });
        if (socket.writable) socket.write(answer);
      }
    }
  } catch (error) {
    if (error.code !== 'ECONNRESET') throw error;
  } finally {
    await database.exec('rollback');
    await database.exec('discard all');
    // The default of PGlite, which the reset removed.
    await database.exec('set search_path = public');
  }
}

/** Splits a stream into protocol messages. The first has no type before its length. */
function messageReader() {
  let parts = [];
  let length = 0;
  let wanted = 0;
  let isFirst = true;
  return function* (bytes) {
    parts.push(bytes);
    length += bytes.length;
    for (;;) {
      const header = isFirst ? 4 : 5;
      if (length < Math.max(header, wanted)) return;
      const all = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [all];
      wanted = all.readUInt32BE(header - 4) + (isFirst ? 0 : 1);
      if (length < wanted) return;
      yield all.subarray(0, wanted);
      isFirst = false;
      parts = [all.subarray(wanted)];
      length -= wanted;
      wanted = 0;
    }
  };
}
