/**
 * Standard output can fail under a command: its reader has seen enough (`| head`), or the disk behind it is full. The
 * command then goes on without it: what it is for (a scan, a file, an exit code) must not depend on who reads along.
 */
import type { Writable } from 'node:stream';
import { codeOf, messageOf, SeineError } from '../base/errors.ts';

export class StandardOutput {
  readonly #stream: Writable;
  readonly #errors = new Set<unknown>();

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  watch(): void {
    this.#stream.on('error', (error) => this.#errors.add(error));
  }

  /** Whether something was lost, as far as is known without waiting. */
  get failed(): boolean {
    return this.#errors.size > 0;
  }

  /** Writers that wait for the stream throw its errors, too. */
  caused(error: unknown): boolean {
    return this.#errors.has(error);
  }

  /**
   * Waits until all is written, and says whether it was. Whoever writes much asks now and then, and saves itself the rest.
   * Errors of earlier writes come before the answer to a later one, or right behind it.
   */
  async arrives(): Promise<boolean> {
    if (this.failed) return false; // a broken stream may never answer
    await new Promise<void>((resolve) => void this.#stream.write('', () => resolve()));
    await new Promise((resolve) => void setImmediate(resolve));
    return !this.failed;
  }

  /** What is to be told when all is written; a reader that left early is no failure. */
  async failure(): Promise<SeineError | null> {
    if (await this.arrives()) return null;
    const error = [...this.#errors].find((each) => codeOf(each) !== 'EPIPE');
    if (error === undefined) return null;
    const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
    const why = full ? 'the disk is full' : (codeOf(error) ?? messageOf(error));
    return new SeineError(full ? 'limit' : 'unavailable', `Could not write to standard output: ${why}.`, {
      hint: full
        ? 'Free some space or write to another disk, then ask again.'
        : 'Ask again with another output.',
      cause: error,
    });
  }
}

export const standardOutput = new StandardOutput(process.stdout);
