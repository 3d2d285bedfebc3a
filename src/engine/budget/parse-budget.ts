import type { Budget } from './budget.ts';
import { type Item, mistake, readItems } from './items.ts';
import {
  readBytes,
  readCost,
  readCount,
  readSpan,
  showBytes,
  showCost,
  showCount,
  showSpan,
} from './quantities.ts';

const HINT = [
  'A budget is a list of limits, such as: requests=2M, bytes=500GB, cost=$40, time=6h',
  '  requests  a number, with k, M or G',
  '  bytes     with B, kB, MB, GB, TB, PB or KiB, MiB, GiB, TiB, PiB',
  '  cost      with or without a currency sign: $40, 12.50€',
  '  time      with d, h, m or s: 6h, 1h30m',
].join('\n');

/** A limit as it is written, to a part of a budget; null: it is not one. */
interface Reader {
  readonly what: string;
  readonly read: (text: string) => Budget | null;
}

const READERS: Readonly<Record<string, Reader>> = {
  requests: { what: 'a number of requests', read: (text) => part('requests', readCount(text)) },
  bytes: { what: 'a number of bytes', read: (text) => part('bytes', readBytes(text)) },
  cost: { what: 'a cost', read: readCostPart },
  time: { what: 'a span of time', read: (text) => part('seconds', readSpan(text)) },
};

/** Throws a usage error that points at the mistake and says what can be written. */
export function parseBudget(text: string): Budget {
  const items = readItems(text, { what: 'the budget', hint: HINT });
  return Object.assign({}, ...items.map((item) => readLimit(text, item)));
}

/** As it could be written. */
export function showBudget(budget: Budget): string {
  const { requests, bytes, cost, seconds, currency } = budget;
  return [
    requests !== undefined && `requests=${showCount(requests)}`,
    bytes !== undefined && `bytes=${showBytes(bytes)}`,
    cost !== undefined && `cost=${showCost(cost, currency)}`,
    seconds !== undefined && `time=${showSpan(seconds)}`,
  ]
    .filter((limit) => limit !== false)
    .join(', ');
}

function readLimit(text: string, { name, value }: Item): Budget {
  const reader = READERS[name.text];
  if (!reader) {
    const known = Object.keys(READERS).join(', ');
    throw mistake(text, name, `there is no limit "${name.text}", only ${known}`, HINT);
  }
  const limit = reader.read(value.text);
  if (!limit) throw mistake(text, value, `"${value.text}" is not ${reader.what}`, HINT);
  return limit;
}

function readCostPart(text: string): Budget | null {
  const cost = readCost(text);
  if (!cost) return null;
  return { cost: cost.amount, ...(cost.currency !== null && { currency: cost.currency }) };
}

function part(name: keyof Budget, value: number | null): Budget | null {
  return value === null ? null : { [name]: value };
}
