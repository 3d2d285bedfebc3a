/** `seine plan` as text. */
import type { Forecast } from '../../scans/planning/forecast.ts';
import { groupDigits, humanBytes, humanSeconds, pluralize } from './quantities.ts';
import { table } from './table.ts';
import { heading, type TerminalStyle } from './terminal-style.ts';
import { visible } from './visible.ts';

type Spread = Forecast['objects'];

export function renderPlan(plan: Forecast, style: TerminalStyle): string {
  const rows = [
    ['objects', ...cells(plan.objects, (n) => groupDigits(Math.round(n)), plan.exact)],
    ['bytes', ...cells(plan.bytes, humanBytes, plan.exact)],
    ...(plan.requests
      ? [['requests', ...cells(plan.requests, (n) => groupDigits(Math.round(n)), plan.exact)]]
      : []),
    ...(plan.cost ? [['cost', ...cells(plan.cost, money, plan.exact)]] : []),
    ...plan.seconds.map(({ workers, likely }) => [
      `time, ${pluralize(workers, 'worker')}`,
      ...cells(likely, time, false),
    ]),
  ];
  const head = ['', 'LIKELY', 'BETWEEN'];
  return [
    `${heading(visible(plan.source), style)}\n`,
    table(['left', 'right', 'left'], [head, ...rows]),
    `\n${accuracyText(plan)}\n`,
  ].join('');
}

function cells({ low, likely, high }: Spread, show: (value: number) => string, exact: boolean): string[] {
  const max = Number.isFinite(high) ? show(high) : 'unbounded';
  return [show(likely), exact ? 'exactly' : `${show(low)} and ${max}`];
}

function time(seconds: number): string {
  return seconds < 1 ? '< 1 s' : humanSeconds(seconds);
}

function accuracyText({ exact, calls }: Forecast): string {
  const spent = calls === 0 ? 'nothing read' : `${pluralize(calls, 'listing request')}, nothing read`;
  if (exact) return `Everything was listed (${spent}).`;
  return `Estimate (${spent}); deep trees may hold more. Raise --max-list-requests for a better one.`;
}

function money(dollars: number): string {
  if (dollars < 0.005) return '< $0.01';
  return dollars < 100 ? `$${dollars.toFixed(2)}` : `$${groupDigits(Math.round(dollars))}`;
}
