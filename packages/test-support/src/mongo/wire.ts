import type { Socket } from 'node:net';

import { deserialize, serialize, type Document } from 'bson';

const headerBytes = 16;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const opcodeAt = 12;
/** Flags of an `OP_MSG` in a reply and in a request. */
const moreToCome = 1 << 1;
const exhaustAllowed = 1 << 16;

/** A received command and its reply function. */
export interface MongoRequest {
  readonly command: Document;
  /** Whether the client accepts more than one reply. */
  readonly acceptsMore: boolean;
  /** `more`: whether another reply follows. */
  answer(document: Document, more?: boolean): void;
}

/** Reads MongoDB's wire protocol from a socket: `OP_MSG`, and `OP_QUERY` for the initial hello of drivers. */
export function onCommands(socket: Socket, take: (asked: MongoRequest) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    // Other data ends the connection, such as the start of encryption.
    if (rest.length >= headerBytes && ![OP_QUERY, OP_MSG].includes(rest.readInt32LE(opcodeAt)))
      return void socket.destroy();
    while (rest.length >= headerBytes && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      take(parseRequest(message, socket));
    }
  });
}

function parseRequest(message: Buffer, socket: Socket): MongoRequest {
  const [id, opcode] = [message.readInt32LE(4), message.readInt32LE(opcodeAt)];
  const send = (answerCode: number, ...parts: Uint8Array[]): void => {
    const body = Buffer.concat(parts);
    const header = Buffer.alloc(headerBytes);
    header.writeInt32LE(headerBytes + body.length, 0);
    header.writeInt32LE(id, 8);
    header.writeInt32LE(answerCode, 12);
    if (!socket.destroyed) socket.write(Buffer.concat([header, body]));
  };
  if (opcode === OP_MSG) {
    // Skips the flags and the kind of the first section, which contains the command.
    const command = deserialize(message.subarray(headerBytes + 5));
    const acceptsMore = (message.readUInt32LE(headerBytes) & exhaustAllowed) !== 0;
    const answer = (document: Document, more = false): void => {
      const before = Buffer.alloc(5);
      before.writeUInt32LE(more ? moreToCome : 0);
      send(OP_MSG, before, serialize(document));
    };
    return { command, acceptsMore, answer };
  }
  const nameEnd = message.indexOf(0, headerBytes + 4);
  const database = message.toString('utf8', headerBytes + 4, nameEnd).replace('.$cmd', '');
  const command = { ...deserialize(message.subarray(nameEnd + 9)), $db: database };
  const found = Buffer.alloc(20);
  found.writeInt32LE(1, 16);
  const answer = (document: Document): void => send(OP_REPLY, found, serialize(document));
  return { command, acceptsMore: false, answer };
}
