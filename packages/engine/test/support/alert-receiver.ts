import { listen } from '@trove/test-support/listen.js';

/** A received alert. */
export interface ReceivedAlert {
  readonly id: string;
  readonly body: {
    readonly event: string;
    readonly source: string | null;
    readonly code: string;
    readonly since: string;
    readonly url: string | null;
  };
}

/** A webhook that records each request. It answers with `answer`. */
export class AlertReceiver implements AsyncDisposable {
  readonly received: ReceivedAlert[] = [];
  /** The status of the next answers; null: no answer. */
  answer: number | null = 200;
  readonly #stop: () => Promise<void>;

  private constructor(
    readonly url: string,
    stop: () => Promise<void>,
  ) {
    this.#stop = stop;
  }

  static async start(): Promise<AlertReceiver> {
    const server = await listen((request, response) => {
      void (async () => {
        let text = '';
        for await (const chunk of request.setEncoding('utf8')) text += chunk;
        const id = String(request.headers['trove-alert-id']);
        receiver.received.push({ id, body: JSON.parse(text) });
        if (receiver.answer === null) request.socket.destroy();
        else response.writeHead(receiver.answer).end();
      })();
    });
    const receiver = new AlertReceiver(`${server.origin}/hook/very-secret`, () => server.stop());
    return receiver;
  }

  /** The events and sources in the order of their first arrival, without repetitions. */
  get events(): string[] {
    const first = new Map(this.received.map(({ id, body }) => [id, body]));
    return Array.from(first.values(), ({ event, source }) => `${event} ${String(source)}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }
}
