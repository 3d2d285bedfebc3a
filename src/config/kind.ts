/**
 * The kinds of single values: how each is read from text (a file, an environment variable, a flag), how it is written back,
 * and what a JSON Schema says of it.
 */
import { hasPassword } from './address.ts';

export interface Kind<T> {
  /** Ends the sentence "queue.stall must be …". */
  readonly said: string;
  readonly hint: string | undefined;
  /** Never quoted in a message: a secret may have come in here. */
  readonly quiet?: true;
  /** The words, where only some are allowed. */
  readonly words?: readonly string[];
  /** What YAML may take it for. */
  readonly natives: readonly Native[];
  /** Undefined: not such a value. */
  read(text: string): T | undefined;
  write(value: T): string | number | boolean;
  readonly schema: readonly JsonSchema[];
}

export type Native = 'string' | 'number' | 'boolean';
export type JsonSchema = Readonly<Record<string, unknown>>;

export function whole(least: number, most: number): Kind<number> {
  return {
    said: `a whole number from ${least} to ${most}`,
    hint: undefined,
    natives: ['number'],
    read: (text) => within(number(text), least, most, Number.isInteger),
    write: (value) => value,
    schema: [{ type: 'integer', minimum: least, maximum: most }],
  };
}

export function decimal(least: number, most: number): Kind<number> {
  return {
    said: `a number from ${least} to ${most}`,
    hint: undefined,
    natives: ['number'],
    read: (text) => within(number(text), least, most),
    write: (value) => value,
    schema: [{ type: 'number', minimum: least, maximum: most }],
  };
}

export function flag(): Kind<boolean> {
  return {
    said: 'true or false',
    hint: undefined,
    natives: ['boolean'],
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: (value) => value,
    schema: [{ type: 'boolean' }],
  };
}

export function choice<const T extends string>(...words: readonly T[]): Kind<T> {
  return {
    said: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    hint: undefined,
    words,
    natives: ['string'],
    read: (text) => words.find((word) => word === text),
    write: (value) => value,
    schema: [{ enum: words }],
  };
}

export function text(said = 'a text', pattern = /^[^\p{Cc}]{1,1000}$/u, hint?: string): Kind<string> {
  return {
    said,
    hint,
    natives: ['string'],
    read: (written) => (pattern.test(written) ? written : undefined),
    write: (value) => value,
    schema: [{ type: 'string', pattern: pattern.source }],
  };
}

/** An address or a path that everybody may see. */
export function address(said: string, pattern: RegExp, hint: string): Kind<string> {
  const written = text(said, pattern, hint);
  return { ...written, quiet: true, read: (value) => (hasPassword(value) ? undefined : written.read(value)) };
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** As YAML and JSON write numbers. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const SPAN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$/;

/** Milliseconds. A bare number is seconds. */
export function duration(least: number, most: number): Kind<number> {
  return {
    said: `a time from ${writeSpan(least)} to ${writeSpan(most)}`,
    hint: 'write it like 500ms, 15s, 5m, 2h or 90d; a bare number is seconds',
    natives: ['string', 'number'],
    read: (written) => {
      const ms = within(readSpan(written), least, most);
      return ms === undefined ? undefined : Math.round(ms);
    },
    write: writeSpan,
    schema: [
      { type: 'string', pattern: `${NUMBER.source}|${SPAN.source}` },
      { type: 'number', minimum: least / 1000, maximum: most / 1000 },
    ],
  };
}

/** A time, or `never`: null. */
export function durationOrNever(least: number, most: number): Kind<number | null> {
  const span = duration(least, most);
  return {
    ...span,
    said: `${span.said}, or never`,
    read: (written) => (written === 'never' ? null : span.read(written)),
    write: (value) => (value === null ? 'never' : span.write(value)),
    schema: [...span.schema, { const: 'never' }],
  };
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;
const RATE = /^(\d+(?:\.\d+)?)\s*\/\s*(s|m|h)$/;

/** Requests a second. */
export function rate(least: number, most: number): Kind<number> {
  return {
    said: `a rate from ${least}/s to ${most}/s`,
    hint: 'write it like 500/s, 3000/m or 10000/h; a bare number is for a second',
    natives: ['string', 'number'],
    read: (written) => within(readRate(written), least, most),
    write: (value) => `${value}/s`,
    schema: [
      { type: 'string', pattern: `${NUMBER.source}|${RATE.source}` },
      { type: 'number', minimum: least, maximum: most },
    ],
  };
}

function readSpan(written: string): number | undefined {
  const seconds = number(written);
  if (seconds !== undefined) return seconds * 1000;
  if (!SPAN.test(written)) return undefined;
  let ms = 0;
  for (const [, count, unit] of written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    ms += Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  return ms;
}

/** In the largest unit that needs no fraction. */
function writeSpan(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms > 0 && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

function readRate(written: string): number | undefined {
  const match = RATE.exec(written);
  if (!match) return number(written);
  return Number(match[1]) / SECONDS[match[2] as keyof typeof SECONDS];
}

function number(written: string): number | undefined {
  return NUMBER.test(written) ? Number(written) : undefined;
}

function within(
  value: number | undefined,
  least: number,
  most: number,
  fits: (value: number) => boolean = () => true,
): number | undefined {
  return value !== undefined && value >= least && value <= most && fits(value) ? value : undefined;
}
