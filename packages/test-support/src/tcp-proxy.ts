import { startRelay } from './relay.js';

/** A proxy between clients and a real server on this machine that can end connections. */
export interface TcpProxy {
  readonly port: number;
  /** The number of bytes from the server. */
  readonly bytes: number;
  /** Whether to end a connection instead of passing on the client's data. */
  shouldEnd: (said: string) => boolean;
  /** Receives the server's data. */
  onServerData: (said: string) => void;
  /** Ends all connections and returns their number. */
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
