import type { SeededRandom } from './seeded-random.fixture.ts';

/** A small good file, with as much of its format in it as is easily had. */
export interface Sample {
  readonly format: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Contained in its text. */
  readonly marker: string;
  /** Why it is not read to its end although nothing is wrong with it. */
  readonly reason?: string;
  /** Its beginning may be a whole as well: a text, streams one after another. */
  readonly endless?: boolean;
  /** The same file, mutated before compression and before checksums were computed. */
  deeper?(random: SeededRandom): Uint8Array;
}

export const MARKER = 'harbour master 7412';
