/** `seine plan`: an estimate from a few listing requests, and what follows from it. Every figure has its uncertainty. */
import { settingsFor } from '../config/source-config.ts';
import { type Config, wholeNumber } from '../config.ts';
import { pricesFor } from '../engine/budget/prices.ts';
import { rateFor } from '../engine/limits/rates.ts';
import { estimateSource } from '../scans/planning/estimate-source.ts';
import { type Expectation, expect } from '../scans/planning/expectation.ts';
import { openSource } from '../sources/open.ts';
import { interruptible } from './interrupt.ts';
import type { CommonFlags } from './options.ts';
import { lookOf } from './output/look.ts';
import { renderPlan } from './output/plan.ts';

const WORKERS = [1, 4, 16, 64];
/** A wrong bucket or credential is told in seconds. */
const PATIENCE_MS = 5000;

type PlanFlags = CommonFlags & { readonly workers?: readonly string[]; readonly calls?: string };

export async function showPlan(target: string, flags: PlanFlags, config: Config): Promise<void> {
  const entry = settingsFor(config, target);
  const access = { patienceMs: PATIENCE_MS, ...(entry && { settings: entry.settings }) };
  const source = await openSource(target, {}, access);
  const calls = wholeNumber('--calls', flags.calls, config.plan.listCalls, 1, 100_000);
  const workers = (flags.workers ?? []).map((text) => wholeNumber('--workers', text, 1, 1, 100_000));
  const estimate = await interruptible((signal) => estimateSource(source, { calls, signal }));
  const expectation: Expectation = expect(estimate, {
    source: source.id,
    remote: source.capabilities.remote,
    prices: entry?.prices ?? pricesFor(source.quota),
    perSecond: source.quota === undefined ? null : (entry?.rate ?? rateFor(source.quota, {}).perSecond),
    workers: workers.length > 0 ? workers : WORKERS,
  });
  if (flags.json) process.stdout.write(`${JSON.stringify(expectation, null, 2)}\n`);
  else process.stdout.write(renderPlan(expectation, lookOf(process.stdout, process.env, flags)));
}
