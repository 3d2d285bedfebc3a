import { Limit, Obstacle } from '../../obstacle.ts';

/** One part of the file would cost too much; the others need not. */
export class PartLimit extends Limit {}

/** Damage to one part of a file is no reason to leave the others unread: the first is kept, and thrown when all is done. */
export class Setbacks {
  #first: Obstacle | null = null;

  /** Throws on what no other part could do about: limits, and failures of the source. */
  note(error: unknown): void {
    if (!(error instanceof Obstacle)) throw error;
    if (error instanceof Limit && !(error instanceof PartLimit)) throw error;
    this.#first ??= error;
  }

  throwFirst(): void {
    if (this.#first !== null) throw this.#first;
  }
}
