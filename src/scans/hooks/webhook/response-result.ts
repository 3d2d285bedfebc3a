import { parseRetryAfterMs } from '../../../sources/store/retry-after.ts';
import type { HookResult } from '../hook.ts';
import type { WebhookResponse } from './post.ts';

/**
 * The result for a response. Anything that is not clearly accepted is retried; only 410 means that the
 * receiver is gone.
 */
export function toHookResult(answer: WebhookResponse): HookResult {
  const { status } = answer;
  if (status >= 200 && status < 300) return { end: 'done', result: { status } };
  if (status === 410) return { end: 'failed', reason: 'receiver-gone' };
  const afterMs = retryDelay(answer);
  return { end: 'again', reason: reasonOf(status), ...(afterMs !== null && { afterMs }) };
}

function reasonOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered with a redirect (${status}), which is not followed: use its final address.`;
  }
  return `The receiver answered ${status}.`;
}

/** A time in `Retry-After` is by the receiver's clock. */
function retryDelay({ retryAfter, date }: WebhookResponse): number | null {
  const now = Date.parse(date ?? '');
  return parseRetryAfterMs(retryAfter, Number.isNaN(now) ? Date.now() : now);
}
