import type { Socket } from 'node:net';
import pg from 'pg';
import { codeOf } from '../base/errors.ts';
import { isOutage } from './failures.ts';

/**
 * Notices a server that vanished without a word (its machine lost power, a firewall forgot the connection) while a statement waits for it.
 * TCP alone would take a quarter of an hour. A statement may rightly take long, so its age proves nothing: when one has waited for
 * `afterMs`, a new connection is tried, and only if nobody answers it either are the waiting ones broken off.
 */
export class AnswerWatch {
  readonly #waiting = new Map<pg.ClientBase, number>();
  readonly #config: () => pg.ClientConfig;
  readonly #afterMs: number;
  readonly #timer: NodeJS.Timeout;
  #probing = false;

  constructor(config: () => pg.ClientConfig, afterMs: number) {
    this.#config = config;
    this.#afterMs = afterMs;
    this.#timer = setInterval(() => void this.#look(), afterMs / 2).unref();
  }

  async during<T>(client: pg.ClientBase, answer: Promise<T>): Promise<T> {
    this.#waiting.set(client, performance.now());
    try {
      return await answer;
    } finally {
      this.#waiting.delete(client);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const late = this.#askedBefore(performance.now() - this.#afterMs);
    if (this.#probing || late.size === 0) return;
    this.#probing = true;
    const isThere = await answers(this.#config(), this.#afterMs);
    this.#probing = false;
    if (isThere) return;
    // Those that got their answer meanwhile, and may wait for another one by now, are not meant.
    for (const [client, asked] of late) if (this.#waiting.get(client) === asked) breakOff(client);
  }

  #askedBefore(time: number): Map<pg.ClientBase, number> {
    return new Map([...this.#waiting].filter(([, asked]) => asked < time));
  }
}

/** Whatever a server answers, be it that it is full or does not know us: it is there. */
async function answers(config: pg.ClientConfig, withinMs: number): Promise<boolean> {
  const probe = new pg.Client({ ...config, connectionTimeoutMillis: withinMs });
  probe.on('error', () => {});
  try {
    await probe.connect();
    return true;
  } catch (error) {
    return !isOutage(error) || /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
  } finally {
    probe.end().catch(() => {});
  }
}

function breakOff(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
