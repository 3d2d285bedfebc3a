import { SeineError } from '../../base/errors.ts';

/** A syntax error in a pattern, or a feature that cannot be matched in linear time: position, reason, and the alternative. */
export class PatternError extends SeineError {
  /** From 1, in characters. */
  readonly column: number;

  constructor(source: string, at: number, what: string, hint: string) {
    super('usage', `The pattern ${source} has ${what} at column ${at + 1}.`, { hint });
    this.column = at + 1;
  }
}
