import { messageOf, SeineError } from '../../base/errors.ts';

/** So long a database may be away before anybody is told; complaints that are further apart have nothing to do with each other. */
const PATIENT_MS = 3000;
const FORGOTTEN_MS = 10_000;

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
  return (error) => {
    const away = error instanceof SeineError && error.kind === 'unavailable';
    if (away && now() - last > FORGOTTEN_MS) since = now();
    if (away) last = now();
    if (!away || now() - since >= PATIENT_MS) say(messageOf(error));
  };
}
