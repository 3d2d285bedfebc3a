import { Limit, Obstacle } from '../../obstacle.ts';
import type { Piece } from '../../piece.ts';

/** Parts of a document are read even if one before them is damaged; what was wrong is told at the end. */
export class Attempts {
  #obstacle: Obstacle | null = null;

  async *at(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
    try {
      yield* pieces;
    } catch (error) {
      this.note(error);
    }
  }

  /** A limit is one for the whole document; what is no obstacle is none of ours. */
  note(error: unknown): void {
    if (!(error instanceof Obstacle) || error instanceof Limit) throw error;
    this.#obstacle ??= error;
  }

  finish(): void {
    if (this.#obstacle !== null) throw this.#obstacle;
  }
}
