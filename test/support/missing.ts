/** What tests need that this machine lacks: the tests are skipped, and `npm test` lists what and why. */
import { appendFileSync } from 'node:fs';

/**
 * Returns `reason`, for `skipIf`; null if nothing is missing. In CI (see scripts/test.mjs) whatever can be installed must be there, so it
 * throws. `isOptional`: what depends on privileges or on the kernel, which a CI machine may lack.
 */
export function reportMissing(
  what: string,
  reason: string | null,
  { isOptional = false } = {},
): string | null {
  if (reason === null) return null;
  if (process.env.SEINE_REQUIRE_ALL === '1' && !isOptional)
    throw new Error(`${what} is missing, and in CI its tests may not be skipped. ${reason}`);
  const list = process.env.SEINE_SKIPPED_LIST;
  if (list) appendFileSync(list, `${what}: ${reason}\n`);
  else process.stderr.write(`Tests are skipped: ${what}: ${reason}\n`);
  return reason;
}
