import { createServer, type Socket } from 'node:net';
import { listen } from '@trove/test-support/listen.js';

/** Returns the wrong answer to a command, or undefined for the correct one. */
export type Lie = (command: string, socket: Socket, tag: string) => string | undefined;

export interface LyingServer {
  readonly port: number;
  /** The commands of all connections. */
  readonly commands: readonly string[];
  /** The open connections. */
  readonly open: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

const capabilities = 'IMAP4rev1 IDLE CONDSTORE';
const states = ['* FLAGS (\\Seen)', '* OK [UIDVALIDITY 7] is', '* OK [UIDNEXT 2] next'];
const status = '(MESSAGES 1 UIDNEXT 2 UIDVALIDITY 7 HIGHESTMODSEQ 9)';
const answers: Readonly<Record<string, readonly string[]>> = {
  capability: [`* CAPABILITY ${capabilities}`],
  list: ['* LIST () "/" "INBOX"'],
  lsub: [],
  status: [`* STATUS "INBOX" ${status}`],
  examine: ['* 1 EXISTS', ...states, '* OK [HIGHESTMODSEQ 9] last'],
  search: ['* SEARCH 1'],
};

/** Starts a server with one folder and one message that gives wrong answers. */
export async function startLyingServer(lie: Lie): Promise<LyingServer> {
  const commands: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.write(`* OK [CAPABILITY ${capabilities}] here\r\n`);
    let rest = '';
    let idling = '';
    const answer = (line: string): string => {
      if (line === 'DONE') return `${idling} OK done\r\n`;
      const [tag = '', ...words] = line.split(' ');
      const command = words.join(' ').replace(/^UID /, '').toLowerCase();
      commands.push(command);
      const lied = lie(command, socket, tag);
      if (lied !== undefined) return lied;
      if (command === 'idle') idling = tag;
      if (command === 'idle') return '+ idling\r\n';
      const [name = ''] = command.split(' ');
      return [...(answers[name] ?? []), `${tag} OK done`].map((each) => `${each}\r\n`).join('');
    };
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!socket.destroyed) socket.write(answer(line));
    });
  });
  const { port, stop } = await listen(server);
  return {
    port,
    commands,
    open,
    stop,
  };
}

/** Keeps sending data without ever answering. */
export function endless(socket: Socket): string {
  const timer = setInterval(() => socket.write('* OK wait\r\n'), 50);
  socket.on('close', () => clearInterval(timer));
  return '';
}
