import { messageOf } from '../../base/errors.ts';

/** So long a database may be away before anybody is told; complaints that are further apart have nothing to do with each other. */
const LOG_AFTER_MS = 3000;
const OUTAGE_GAP_MS = 10_000;
/** An outage of minutes is said again now and then, not with every look. */
const LOG_EVERY_MS = 60_000;

/**
 * For loops that look again in a moment: a database that is started again in between is no news. Whoever cannot do without it says so
 * himself. Other errors are told at once.
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

/** pg-boss emits copies of what was thrown, with more to them: plain objects that have its fields, or it as their cause. */
function isUnavailable(error: unknown): boolean {
  const { kind, cause } = (error ?? {}) as { kind?: unknown; cause?: unknown };
  return kind === 'unavailable' || (cause !== undefined && isUnavailable(cause));
}
