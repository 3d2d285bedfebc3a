/** `seine plan`: an estimate from a few listing requests, with a range for every figure. */
import { settingsFor } from '../../config/source-config.ts';
import { type Config, parseWholeNumber } from '../../config.ts';
import { pricesFor } from '../../engine/budget/prices.ts';
import { rateFor } from '../../engine/limits/rates.ts';
import { estimateSource } from '../../scans/planning/estimate-source.ts';
import { type Forecast, forecast } from '../../scans/planning/forecast.ts';
import { openSource } from '../../sources/open.ts';
import { interruptible } from '../interrupt.ts';
import type { CommonFlags } from '../options.ts';
import { renderPlan } from '../output/plan.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';

const WORKERS = [1, 4, 16, 64];
/** A wrong bucket or credential is reported within seconds. */
const WAIT_TIMEOUT_MS = 5000;

type PlanFlags = CommonFlags & { readonly workers?: readonly string[]; readonly maxListRequests?: string };

export async function showPlan(target: string, flags: PlanFlags, config: Config): Promise<void> {
  const entry = settingsFor(config, target);
  const access = { patienceMs: WAIT_TIMEOUT_MS, ...(entry && { settings: entry.settings }) };
  const source = await openSource(target, {}, access);
  const calls = parseWholeNumber(
    '--max-list-requests',
    flags.maxListRequests,
    config.plan.listCalls,
    1,
    100_000,
  );
  const workers = (flags.workers ?? []).map((text) => parseWholeNumber('--workers', text, 1, 1, 100_000));
  const estimate = await interruptible((signal) => estimateSource(source, { calls, signal }));
  const expectation: Forecast = forecast(estimate, {
    source: source.id,
    remote: source.capabilities.remote,
    prices: entry?.prices ?? pricesFor(source.quota),
    perSecond: source.quota === undefined ? null : (entry?.rate ?? rateFor(source.quota, {}).perSecond),
    workers: workers.length > 0 ? workers : WORKERS,
  });
  if (flags.json) process.stdout.write(`${JSON.stringify(expectation, null, 2)}\n`);
  else process.stdout.write(renderPlan(expectation, detectTerminalStyle(process.stdout, process.env, flags)));
}
