/** What became of an archive or a document, told by what became of its insides. */
import type { Reading, Sort } from './extraction.ts';
import type { Obstacle } from './obstacle.ts';
import { partial, read, skipped } from './reading.ts';

export class Verdict {
  #some = false; // of it was read
  #trouble: string | null = null; // the first counts

  /** Text of its own. */
  text(): void {
    this.#some = true;
  }

  inside(reading: Reading): void {
    if (reading.state !== 'skipped') this.#some = true;
    if (reading.state !== 'read')
      this.#trouble ??= reading.reason.replace(/^unsupported format:/, 'unsupported inside:');
  }

  obstacle({ message }: Obstacle): void {
    this.#trouble ??= message;
  }

  reading(format: Sort): Reading {
    if (this.#trouble === null) return read(format);
    const refused = !this.#some && !/^(corrupt|limit)/.test(this.#trouble);
    return refused ? skipped(this.#trouble) : partial(this.#trouble, format);
  }
}
