import { SeineError } from '../../base/errors.ts';

/** A pattern that is not understood, or that could not be matched in linear time: where, what, and what to write instead. */
export class PatternError extends SeineError {
  /** From 1, in characters. */
  readonly column: number;

  constructor(source: string, at: number, what: string, hint: string) {
    super('usage', `The pattern ${source} has ${what} at column ${at + 1}.`, { hint });
    this.column = at + 1;
  }
}
