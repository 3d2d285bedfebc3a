/** What a workflow ends with: a result, a failure, or nothing. It is kept with the workflow for clients that wait for it. */
import { SeineError } from '../../base/errors.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Complete, Fail } from '../effects.ts';

/** Both fit into an event of the parent, which also has the id of the child; a text may become six times as long as JSON. */
export const MAX_RESULT_BYTES = 240 * 1024;
const MAX_ERROR_BYTES = 32 * 1024;

export interface WorkflowOutcome {
  /** JSON. */
  readonly result: string | null;
  readonly failure: string | null;
}

export function toWorkflowOutcome(effect: Complete | Fail): WorkflowOutcome {
  return effect.do === 'fail'
    ? { result: null, failure: sanitizeText(effect.error) }
    : { result: effect.result === undefined ? null : sanitizeJson(effect.result as object), failure: null };
}

/** Found here, it is a mistake of one workflow; found while it is written, it would hold up all that are written with it. */
export function checkFailure({ name }: AnyWorkflow, error: unknown): void {
  if (typeof error !== 'string') throw usageError(`${name} fails with an error that is no text.`);
  const bytes = Buffer.byteLength(error);
  if (bytes <= MAX_ERROR_BYTES) return;
  throw usageError(`${name}: the error has ${bytes} bytes; ${MAX_ERROR_BYTES} are the most.`);
}

function usageError(message: string): SeineError {
  return new SeineError('usage', message, { hint: 'Correct `react` in the definition of the workflow.' });
}
