/**
 * The handle of a finding: `12-873-0` is the first finding of object 873 of scan 12. `seine findings`
 * prints it, other commands accept it.
 */
import { SeineError } from '../../base/errors.ts';

export interface FindingId {
  readonly scan: number;
  /** The id of the object's row. */
  readonly object: number;
  /** Its index in the kept findings of the object, from 0. */
  readonly n: number;
}

const PATTERN = /^([1-9]\d*)-([1-9]\d*)-(0|[1-9]\d*)$/;

export function formatFindingId({ scan, object, n }: FindingId): string {
  return `${scan}-${object}-${n}`;
}

export function parseFindingId(text: string): FindingId {
  const [scan, object, n] = (PATTERN.exec(text.trim())?.slice(1) ?? []).map(Number);
  if (Number.isSafeInteger(scan) && Number.isSafeInteger(object) && Number.isSafeInteger(n))
    return { scan: scan!, object: object!, n: n! };
  throw new SeineError('usage', `"${text}" is not the handle of a finding.`, {
    hint: 'Write it like 12-873-0, the last column of: seine findings',
  });
}
