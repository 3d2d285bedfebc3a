import { messageOf } from '../../base/errors.ts';

/** So long a database may be away before anybody is told; complaints that are further apart have nothing to do with each other. */
const PATIENT_MS = 3000;
const FORGOTTEN_MS = 10_000;
/** An outage of minutes is said again now and then, not with every look. */
const SAY_AGAIN_MS = 60_000;

/**
 * For loops that look again in a moment: a database that is started again in between is no news. Whoever cannot do without it says so
 * himself. Other errors are told at once.
 */
export function patiently(
  say: (message: string) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let since = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let said = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isOutage(error)) return say(messageOf(error));
    if (now() - last > FORGOTTEN_MS) since = now();
    last = now();
    if (now() - since < PATIENT_MS || now() - said < SAY_AGAIN_MS) return;
    said = now();
    say(`${messageOf(error)} Waiting for it.`);
  };
}

/** pg-boss emits copies of what was thrown, with more to them: plain objects that have its fields, or it as their cause. */
function isOutage(error: unknown): boolean {
  const { kind, cause } = (error ?? {}) as { kind?: unknown; cause?: unknown };
  return kind === 'unavailable' || (cause !== undefined && isOutage(cause));
}
