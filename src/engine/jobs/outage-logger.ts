import { messageOf } from '../../base/errors.ts';

/**
 * How long the database may be unreachable before it is logged. Errors further apart than this belong to
 * different outages.
 */
const LOG_AFTER_MS = 3000;
const OUTAGE_GAP_MS = 10_000;
/** A long outage is logged once in this interval, not with every poll. */
const LOG_EVERY_MS = 60_000;

/**
 * For loops that poll again soon: a restart of the database in between is not logged. Code that cannot
 * continue without the database reports the error itself. Other errors are logged at once.
 */
export function createOutageLogger(
  log: (message: string) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let since = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let said = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isUnavailable(error)) return log(messageOf(error));
    if (now() - last > OUTAGE_GAP_MS) since = now();
    last = now();
    if (now() - since < LOG_AFTER_MS || now() - said < LOG_EVERY_MS) return;
    said = now();
    log(`${messageOf(error)} Waiting for it.`);
  };
}

/** Also if the error is a copy, or the cause of another one. */
function isUnavailable(error: unknown): boolean {
  const { kind, cause } = (error ?? {}) as { kind?: unknown; cause?: unknown };
  return kind === 'unavailable' || (cause !== undefined && isUnavailable(cause));
}
