/** The only batch of a file in Arrow's format, undecoded. */
export interface BatchBuffers {
  readonly rows: number;
  /** Everything before the batch: the names and types of its columns. */
  readonly beginning: Buffer;
  /** The buffers of all columns, one after the other. */
  readonly buffer: (at: number) => Buffer;
}

const MAGIC = Buffer.from('ARROW1');
/** At the end: how long the footer is, and the magic. */
const TAIL_BYTES = 4 + MAGIC.length;
/** Before the metadata of a message: a marker, and how long it is. */
const PREFIX_BYTES = 8;

/** Where, in the tables of Arrow's schema, the fields are that are read here. */
const footer = { dictionaries: 2, batches: 3 } as const;
const message = { type: 1, header: 2 } as const;
const batch = { rows: 0, nodes: 1, buffers: 2, compression: 3 } as const;
const RECORD_BATCH = 3;
const NODE = { bytes: 16, nulls: 8 } as const;
const BUFFER = { bytes: 16, length: 8 } as const;

/** Null for what is not a file of one batch with rows, uncompressed and without nulls and dictionaries. */
export function firstBatchIn(file: Uint8Array): BatchBuffers | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const tail = bytes.length - TAIL_BYTES;
  if (tail < MAGIC.length || !bytes.subarray(tail + 4).equals(MAGIC)) return null;
  const tables = new Tables(bytes);
  const end = tables.root(tail - bytes.readInt32LE(tail));
  const batches = tables.vector(end, footer.batches);
  if (batches.length !== 1 || tables.vector(end, footer.dictionaries).length > 0) return null;
  return batchAt(tables, Number(bytes.readBigInt64LE(batches.start)));
}

function batchAt(tables: Tables, start: number): BatchBuffers | null {
  const { bytes } = tables;
  const metadata = start + PREFIX_BYTES;
  const body = metadata + bytes.readInt32LE(metadata - 4);
  const root = tables.root(metadata);
  const type = tables.field(root, message.type);
  if (type === null || bytes.readUInt8(type) !== RECORD_BATCH) return null;
  const header = tables.table(root, message.header);
  if (header === null || tables.field(header, batch.compression) !== null) return null;
  const nodes = tables.vector(header, batch.nodes);
  for (let node = 0; node < nodes.length; node++) {
    if (bytes.readInt32LE(nodes.start + NODE.bytes * node + NODE.nulls) !== 0) return null;
  }
  const length = tables.field(header, batch.rows);
  const rows = length === null ? 0 : bytes.readInt32LE(length);
  // Without rows there may be no buffers.
  if (rows === 0) return null;
  const buffers = tables.vector(header, batch.buffers);
  return {
    rows,
    beginning: bytes.subarray(0, start),
    buffer: (at) => {
      const entry = buffers.start + BUFFER.bytes * at;
      const from = body + bytes.readInt32LE(entry);
      return bytes.subarray(from, from + bytes.readInt32LE(entry + BUFFER.length));
    },
  };
}

/** Reads FlatBuffers: tables name the places of their fields, relative to their own. */
class Tables {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  root(at: number): number {
    return at + this.bytes.readUInt32LE(at);
  }

  field(table: number, index: number): number | null {
    const places = table - this.bytes.readInt32LE(table);
    const entry = 2 * (2 + index);
    if (entry >= this.bytes.readUInt16LE(places)) return null;
    const offset = this.bytes.readUInt16LE(places + entry);
    return offset === 0 ? null : table + offset;
  }

  table(table: number, index: number): number | null {
    const field = this.field(table, index);
    return field === null ? null : this.root(field);
  }

  vector(table: number, index: number): { readonly start: number; readonly length: number } {
    const at = this.table(table, index);
    return at === null
      ? { start: 0, length: 0 }
      : { start: at + 4, length: this.bytes.readUInt32LE(at) };
  }
}
