import { Limit, Obstacle } from '../obstacle.ts';
import type { Piece } from '../piece.ts';

/** One part of a document would cost too much; the others need not. */
export class PartLimit extends Limit {}

/** Damage to one part of a document is no reason to leave the others unread: the first is kept, and thrown when all is done. */
export class Setbacks {
  #first: Obstacle | null = null;

  async *attempt(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    try {
      yield* pieces;
    } catch (error) {
      this.note(error);
    }
  }

  /** Throws on what no other part could do about: limits, and failures of the source. */
  note(error: unknown): void {
    if (!(error instanceof Obstacle)) throw error;
    if (error instanceof Limit && !(error instanceof PartLimit)) throw error;
    this.#first ??= error;
  }

  finish(): void {
    if (this.#first !== null) throw this.#first;
  }
}
