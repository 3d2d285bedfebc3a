/**
 * Standard output can fail while a command runs: its reader has closed the pipe (`| head`), or the disk is full. The
 * command continues without it: its result (a scan, a file, an exit code) must not depend on the reader.
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

  /** Whether a write has failed, as far as is known without waiting. */
  get failed(): boolean {
    return this.#errors.size > 0;
  }

  /** Whether `error` is an error of this stream: writers that wait for the stream throw its errors, too. */
  caused(error: unknown): boolean {
    return this.#errors.has(error);
  }

  /**
   * Waits until everything is written and returns whether it was. Commands with much output call it now and then and stop early.
   * The stream reports the error of an earlier write before the callback of a later one, or right after it.
   */
  async arrives(): Promise<boolean> {
    if (this.failed) return false; // a broken stream may never call back
    await new Promise<void>((resolve) => void this.#stream.write('', () => resolve()));
    await new Promise((resolve) => void setImmediate(resolve));
    return !this.failed;
  }

  /** The error to report once everything is written. A closed pipe (EPIPE) is no failure. */
  async failure(): Promise<SeineError | null> {
    if (await this.arrives()) return null;
    const error = [...this.#errors].find((each) => codeOf(each) !== 'EPIPE');
    if (error === undefined) return null;
    const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
    const why = full ? 'the disk is full' : (codeOf(error) ?? messageOf(error));
    return new SeineError(full ? 'limit' : 'unavailable', `Could not write to standard output: ${why}.`, {
      hint: full
        ? 'Free some space or write to another disk, then repeat the command.'
        : 'Repeat the command with another output.',
      cause: error,
    });
  }
}

export const standardOutput = new StandardOutput(process.stdout);
