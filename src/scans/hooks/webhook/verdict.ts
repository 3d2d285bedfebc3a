import { retryAfterMs } from '../../../sources/store/retry-after.ts';
import type { Outcome } from '../outcome.ts';
import type { Answer } from './post.ts';

/** What an answer means. Whoever is not sure that it was accepted tries again; only 410 says that nobody wants it any more. */
export function verdictOf(answer: Answer): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { end: 'done', result: { status } };
  if (status === 410) return { end: 'failed', reason: 'The receiver wants no more deliveries (410).' };
  const afterMs = waitOf(answer);
  return { end: 'again', reason: reasonOf(status), ...(afterMs !== null && { afterMs }) };
}

function reasonOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered with a redirect (${status}), which is not followed: use its final address.`;
  }
  return `The receiver answered ${status}.`;
}

/** A time in `Retry-After` is one of the receiver's own clock. */
function waitOf({ retryAfter, date }: Answer): number | null {
  const now = Date.parse(date ?? '');
  return retryAfterMs(retryAfter, Number.isNaN(now) ? Date.now() : now);
}
