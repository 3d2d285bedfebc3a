/** The outcome of a workflow: a result, a failure, or none. Stored with the workflow for clients that wait for it. */
import { SeineError } from '../../base/errors.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Complete, Fail } from '../effects.ts';

/** Both must fit into an event of the parent, which also contains the id of the child; JSON escapes may make a text six times as long. */
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

/** An invalid result found here fails one workflow; found while writing, it would fail all workflows written with it. */
export function checkFailure({ name }: AnyWorkflow, error: unknown): void {
  if (typeof error !== 'string') throw usageError(`${name} fails with an error that is no text.`);
  const bytes = Buffer.byteLength(error);
  if (bytes <= MAX_ERROR_BYTES) return;
  throw usageError(`${name}: the error has ${bytes} bytes; the maximum is ${MAX_ERROR_BYTES}.`);
}

function usageError(message: string): SeineError {
  return new SeineError('usage', message, { hint: 'Correct `react` in the definition of the workflow.' });
}
