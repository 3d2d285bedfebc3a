import type { Gate } from '../sources/gate.ts';

/** A gate that is built after the source it stands before: only the opened source knows whose limit it shares. */
export class LateGate implements Gate {
  readonly #opened = Promise.withResolvers<Gate>();
  #gate: Gate | null = null;

  opens(gate: Gate): void {
    this.#gate = gate;
    this.#opened.resolve(gate);
  }

  async pass(...[kind, bytes, signal]: Parameters<Gate['pass']>): Promise<void> {
    const gate = this.#gate ?? (await this.#opened.promise);
    return gate.pass(kind, bytes, signal);
  }

  throttled(retryAfterMs: number | null): void {
    this.#gate?.throttled(retryAfterMs);
  }
}
