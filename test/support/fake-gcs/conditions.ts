/** Preconditions on generations. Generation 0 means that the object must not exist. */
import { refuse } from './answer.ts';
import { type Call, numberIn } from './call.ts';

export const CONDITIONS = ['ifGenerationMatch', 'ifGenerationNotMatch'];

export function checkConditions(call: Call, generation: bigint): void {
  const expected = numberIn(call, 'ifGenerationMatch');
  const unwanted = numberIn(call, 'ifGenerationNotMatch');
  const failed = 'At least one of the pre-conditions you specified did not hold.';
  if (expected !== null && expected !== generation) refuse(412, 'conditionNotMet', failed, 'If-Match');
  if (unwanted === null || unwanted !== generation) return;
  if (call.method === 'GET') refuse(304, 'notModified', '');
  refuse(412, 'conditionNotMet', failed, 'If-None-Match');
}
