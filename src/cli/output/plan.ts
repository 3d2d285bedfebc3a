/** `seine plan` for people. */
import type { Expectation } from '../../scans/planning/expectation.ts';
import { heading, type Look } from './look.ts';
import { counted, grouped, humanBytes, humanSeconds } from './quantities.ts';
import { table } from './table.ts';
import { visible } from './visible.ts';

type Spread = Expectation['objects'];

export function renderPlan(plan: Expectation, look: Look): string {
  const rows = [
    ['objects', ...cells(plan.objects, (n) => grouped(Math.round(n)), plan.exact)],
    ['bytes', ...cells(plan.bytes, humanBytes, plan.exact)],
    ...(plan.requests
      ? [['requests', ...cells(plan.requests, (n) => grouped(Math.round(n)), plan.exact)]]
      : []),
    ...(plan.cost ? [['cost', ...cells(plan.cost, money, plan.exact)]] : []),
    ...plan.seconds.map(({ workers, likely }) => [
      `time, ${counted(workers, 'worker')}`,
      ...cells(likely, time, false),
    ]),
  ];
  const head = ['', 'LIKELY', 'BETWEEN'];
  return [
    `${heading(visible(plan.source), look)}\n`,
    table(['left', 'right', 'left'], [head, ...rows]),
    `\n${sureness(plan)}\n`,
  ].join('');
}

function cells({ low, likely, high }: Spread, show: (value: number) => string, exact: boolean): string[] {
  const most = Number.isFinite(high) ? show(high) : 'no end in sight';
  return [show(likely), exact ? 'exactly' : `${show(low)} and ${most}`];
}

function time(seconds: number): string {
  return seconds < 1 ? '< 1 s' : humanSeconds(seconds);
}

function sureness({ exact, calls }: Expectation): string {
  const spent = calls === 0 ? 'nothing read' : `${counted(calls, 'listing request')}, nothing read`;
  if (exact) return `Everything was listed (${spent}).`;
  return `An estimate from a few places (${spent}): deep trees can hide much. More requests (--calls) make it better.`;
}

function money(dollars: number): string {
  if (dollars < 0.005) return '< $0.01';
  return dollars < 100 ? `$${dollars.toFixed(2)}` : `$${grouped(Math.round(dollars))}`;
}
