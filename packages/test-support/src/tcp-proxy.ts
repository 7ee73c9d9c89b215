import { startRelay } from './relay.js';

/** Stands between clients and a real server on this machine, and ends connections when a test says. */
export interface TcpProxy {
  readonly port: number;
  /** How many have come from the server. */
  readonly bytes: number;
  /** Whether what a client says, which the server then never hears, ends its connection. */
  shouldEnd: (said: string) => boolean;
  /** Gets what the server says. */
  onServerData: (said: string) => void;
  /** Ends all connections; returns how many there were. */
  cut(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(to: number): Promise<TcpProxy> {
  let bytes = 0;
  const relay = await startRelay(
    to,
    (piece, { upstream, end }) => {
      if (proxy.shouldEnd(piece.toString('latin1'))) end();
      else upstream.write(piece);
    },
    (piece) => {
      bytes += piece.length;
      proxy.onServerData(piece.toString('latin1'));
    },
  );
  const proxy: TcpProxy = {
    port: relay.port,
    get bytes() {
      return bytes;
    },
    shouldEnd: () => false,
    onServerData: () => undefined,
    cut: () => relay.cut(),
    stop: () => relay.stop(),
  };
  return proxy;
}
