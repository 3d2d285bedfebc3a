import type { Budget } from './budget.ts';
import { type ListItem, parseItems, syntaxErrorAt } from './list-items.ts';
import {
  formatBytes,
  formatCost,
  formatCount,
  formatDuration,
  parseBytes,
  parseCost,
  parseCount,
  parseDuration,
} from './quantities.ts';

const HINT = [
  'A budget is a list of limits, such as: requests=2M, bytes=500GB, cost=$40, time=6h',
  '  requests  a number, with k, M or G',
  '  bytes     with B, kB, MB, GB, TB, PB or KiB, MiB, GiB, TiB, PiB',
  '  cost      with or without a currency sign: $40, 12.50€',
  '  time      with d, h, m or s: 6h, 1h30m',
].join('\n');

/** Parses one limit into a partial budget; returns null if the text is not such a limit. */
interface LimitParser {
  readonly what: string;
  readonly parse: (text: string) => Budget | null;
}

const LIMIT_PARSERS: Readonly<Record<string, LimitParser>> = {
  requests: { what: 'a number of requests', parse: (text) => part('requests', parseCount(text)) },
  bytes: { what: 'a number of bytes', parse: (text) => part('bytes', parseBytes(text)) },
  cost: { what: 'a cost', parse: parseCostLimit },
  time: { what: 'a span of time', parse: (text) => part('seconds', parseDuration(text)) },
};

/** Throws a usage error that marks the invalid item and shows the accepted syntax. */
export function parseBudget(text: string): Budget {
  const items = parseItems(text, { what: 'the budget', hint: HINT });
  return Object.assign({}, ...items.map((item) => parseLimit(text, item)));
}

/** Formats a budget so that `parseBudget` accepts it. */
export function formatBudget(budget: Budget): string {
  const { requests, bytes, cost, seconds, currency } = budget;
  return [
    requests !== undefined && `requests=${formatCount(requests)}`,
    bytes !== undefined && `bytes=${formatBytes(bytes)}`,
    cost !== undefined && `cost=${formatCost(cost, currency)}`,
    seconds !== undefined && `time=${formatDuration(seconds)}`,
  ]
    .filter((limit) => limit !== false)
    .join(', ');
}

function parseLimit(text: string, { name, value }: ListItem): Budget {
  const reader = LIMIT_PARSERS[name.text];
  if (!reader) {
    const names = Object.keys(LIMIT_PARSERS).join(', ');
    throw syntaxErrorAt(text, name, `unknown limit "${name.text}"; limits are ${names}`, HINT);
  }
  const limit = reader.parse(value.text);
  if (!limit) throw syntaxErrorAt(text, value, `"${value.text}" is not ${reader.what}`, HINT);
  return limit;
}

function parseCostLimit(text: string): Budget | null {
  const cost = parseCost(text);
  if (!cost) return null;
  return { cost: cost.amount, ...(cost.currency !== null && { currency: cost.currency }) };
}

function part(name: keyof Budget, value: number | null): Budget | null {
  return value === null ? null : { [name]: value };
}
