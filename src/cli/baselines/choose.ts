import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { readBaselineHeader } from '../../scans/baselines/baseline-file.ts';
import { type Baseline, findBaseline } from '../../scans/baselines/baseline-store.ts';
import type { BaselineChoice } from '../../scans/baselines/compare-with-baseline.ts';
import { keyCheckOf } from '../../scans/results/fingerprint-key.ts';

/** The baseline given by the flags, if any. Also called before a scan starts, so that a mistyped name fails at once. */
export async function chooseBaseline(
  app: App,
  flags: { readonly baseline?: string; readonly baselineFile?: string },
): Promise<BaselineChoice | null> {
  if (flags.baseline !== undefined) return baselineOf(app, flags.baseline);
  if (flags.baselineFile === undefined) return null;
  const keyCheck = keyCheckOf(app.secret);
  const { name } = await readBaselineHeader(flags.baselineFile, keyCheck);
  return { name, file: flags.baselineFile, keyCheck };
}

export async function baselineOf(app: App, name: string): Promise<Baseline> {
  const baseline = await findBaseline(app.db, app.config.tenant, name);
  if (baseline) return baseline;
  throw new SeineError('not-found', `No baseline ${name}.`, {
    hint: `List them: seine baseline list. Create one from a scan: seine baseline create ${name}`,
  });
}
