/**
 * A proxy for an HTTP server that can delay, reject, break off and become unreachable, and that records requests. It
 * forwards them unchanged, including headers, so that signatures stay valid.
 */
import { Agent, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, injectFault } from './fault.ts';

export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

export interface FaultProxy {
  readonly endpoint: string;
  /** The last 10,000 requests, those with a fault too. */
  readonly requests: readonly PassedRequest[];
  /** Bytes of answers' bodies so far. */
  readonly bytes: number;
  /** Number of requests in each second since the first; a second without one is 0. */
  perSecond(): number[];
  /** Each request waits so long before it is handed on. */
  delay(ms: number): void;
  /** More requests than that within a second are answered with 503 SlowDown. Null: no limit. */
  limit(perSecond: number | null): void;
  /** The next `times` requests (default: all) that match (default: all) get the fault. */
  inject(fault: Fault, when?: { times?: number; match?: (request: PassedRequest) => boolean }): void;
  /** No more faults, delay and limit. */
  heal(): void;
  /** Breaks all connections and takes no new ones, until `reconnect`. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

interface Rule {
  readonly fault: Fault;
  readonly match: (request: PassedRequest) => boolean;
  left: number;
}

const KEPT = 10_000;
const SLOW_DOWN: Fault = {
  kind: 'answer',
  status: 503,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
};

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const requests: PassedRequest[] = [];
  const rate = new Rate();
  let rules: Rule[] = [];
  let delayMs = 0;
  let max: number | null = null;
  let bytes = 0;

  const server = createServer((incoming, outgoing) => {
    const passed = note(incoming);
    const fault = max !== null && rate.isAbove(max) ? SLOW_DOWN : takeFault(rules, passed);
    const onBytes = (count: number) => {
      bytes += count;
    };
    const go = () => injectFault(fault, { incoming, outgoing, target: new URL(target), agent, onBytes });
    if (delayMs > 0) setTimeout(go, delayMs);
    else go();
  });

  function note({ method = '', url = '', headers }: IncomingMessage): PassedRequest {
    const passed = { method, url, headers };
    rate.count();
    requests.push(passed);
    if (requests.length > 2 * KEPT) requests.splice(0, requests.length - KEPT);
    return passed;
  }

  async function disconnect(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  const port = await listen(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    get bytes() {
      return bytes;
    },
    perSecond: () => rate.perSecond(),
    delay(ms) {
      delayMs = ms;
    },
    limit(perSecond) {
      max = perSecond;
    },
    inject: (fault, { times = Number.POSITIVE_INFINITY, match = () => true } = {}) =>
      void rules.push({ fault, match, left: times }),
    heal() {
      rules = [];
      delayMs = 0;
      max = null;
    },
    disconnect,
    reconnect: async () => void (await listen(server, port)),
    async close() {
      agent.destroy();
      if (server.listening) await disconnect();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function takeFault(rules: readonly Rule[], passed: PassedRequest): Fault | null {
  const rule = rules.find(({ match, left }) => left > 0 && match(passed));
  if (rule === undefined) return null;
  rule.left--;
  return rule.fault;
}

/** Number of requests in each second, and how many were passed in the last one. */
class Rate {
  readonly #seconds = new Map<number, number>();
  readonly #recent: number[] = [];

  count(): void {
    const second = Math.floor(performance.now() / 1000);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
  }

  /** Those that were above it don't count. */
  isAbove(max: number): boolean {
    const now = performance.now();
    while (this.#recent.length > 0 && this.#recent[0]! <= now - 1000) this.#recent.shift();
    if (this.#recent.length >= max) return true;
    this.#recent.push(now);
    return false;
  }

  perSecond(): number[] {
    const seconds = [...this.#seconds.keys()];
    if (seconds.length === 0) return [];
    const [first, last] = [Math.min(...seconds), Math.max(...seconds)];
    return Array.from({ length: last - first + 1 }, (_, i) => this.#seconds.get(first + i) ?? 0);
  }
}
