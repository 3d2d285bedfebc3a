/**
 * The types of single values: how each is parsed from text (a file, an environment variable, a flag), how it is formatted, and its JSON
 * Schema.
 */
import { hasPassword } from '../values/redact-url.ts';

export interface ValueType<T> {
  /** Completes the sentence "queue.stall must be …". */
  readonly expected: string;
  readonly hint: string | undefined;
  /** Values are never quoted in messages: they may contain a secret. */
  readonly isSensitive?: true;
  /** The allowed words, if there are only some. */
  readonly choices?: readonly string[];
  /** The YAML types such a value may have. */
  readonly yamlTypes: readonly YamlType[];
  /** Returns undefined if the text is not such a value. */
  parse(text: string): T | undefined;
  format(value: T): string | number | boolean;
  readonly schema: readonly JsonSchema[];
}

export type YamlType = 'string' | 'number' | 'boolean';
export type JsonSchema = Readonly<Record<string, unknown>>;

export function integer(min: number, max: number): ValueType<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    hint: undefined,
    yamlTypes: ['number'],
    parse: (text) => inBounds(parseNumber(text), min, max, Number.isInteger),
    format: (value) => value,
    schema: [{ type: 'integer', minimum: min, maximum: max }],
  };
}

export function decimal(min: number, max: number): ValueType<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    hint: undefined,
    yamlTypes: ['number'],
    parse: (text) => inBounds(parseNumber(text), min, max),
    format: (value) => value,
    schema: [{ type: 'number', minimum: min, maximum: max }],
  };
}

export function flag(): ValueType<boolean> {
  return {
    expected: 'true or false',
    hint: undefined,
    yamlTypes: ['boolean'],
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    format: (value) => value,
    schema: [{ type: 'boolean' }],
  };
}

export function choice<const T extends string>(...choices: readonly T[]): ValueType<T> {
  return {
    expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    hint: undefined,
    choices,
    yamlTypes: ['string'],
    parse: (text) => choices.find((word) => word === text),
    format: (value) => value,
    schema: [{ enum: choices }],
  };
}

export function text(
  expected = 'a text',
  pattern = /^[^\p{Cc}]{1,1000}$/u,
  hint?: string,
): ValueType<string> {
  return {
    expected,
    hint,
    yamlTypes: ['string'],
    parse: (written) => (pattern.test(written) ? written : undefined),
    format: (value) => value,
    schema: [{ type: 'string', pattern: pattern.source }],
  };
}

/** A URL or a path without a password. */
export function address(expected: string, pattern: RegExp, hint: string): ValueType<string> {
  const written = text(expected, pattern, hint);
  return {
    ...written,
    isSensitive: true,
    parse: (value) => (hasPassword(value) ? undefined : written.parse(value)),
  };
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** As YAML and JSON write numbers. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$/;

/** Milliseconds. A bare number is seconds. */
export function duration(min: number, max: number): ValueType<number> {
  return {
    expected: `a duration from ${formatDuration(min)} to ${formatDuration(max)}`,
    hint: 'write it like 500ms, 15s, 5m, 2h or 90d; a bare number is seconds',
    yamlTypes: ['string', 'number'],
    parse: (written) => {
      const ms = inBounds(parseDuration(written), min, max);
      return ms === undefined ? undefined : Math.round(ms);
    },
    format: formatDuration,
    schema: [
      { type: 'string', pattern: `${NUMBER.source}|${DURATION.source}` },
      { type: 'number', minimum: min / 1000, maximum: max / 1000 },
    ],
  };
}

/** A duration, or `never`, which is null. */
export function durationOrNever(min: number, max: number): ValueType<number | null> {
  const span = duration(min, max);
  return {
    ...span,
    expected: `${span.expected}, or never`,
    parse: (written) => (written === 'never' ? null : span.parse(written)),
    format: (value) => (value === null ? 'never' : span.format(value)),
    schema: [...span.schema, { const: 'never' }],
  };
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;
const RATE = /^(\d+(?:\.\d+)?)\s*\/\s*(s|m|h)$/;

/** Requests per second. */
export function rate(min: number, max: number): ValueType<number> {
  return {
    expected: `a rate from ${min}/s to ${max}/s`,
    hint: 'write it like 500/s, 3000/m or 10000/h; a bare number is per second',
    yamlTypes: ['string', 'number'],
    parse: (written) => inBounds(parseRate(written), min, max),
    format: (value) => `${value}/s`,
    schema: [
      { type: 'string', pattern: `${NUMBER.source}|${RATE.source}` },
      { type: 'number', minimum: min, maximum: max },
    ],
  };
}

function parseDuration(written: string): number | undefined {
  const seconds = parseNumber(written);
  if (seconds !== undefined) return seconds * 1000;
  if (!DURATION.test(written)) return undefined;
  let ms = 0;
  for (const [, count, unit] of written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    ms += Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  return ms;
}

/** Uses the largest unit that needs no fraction. */
function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms > 0 && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

function parseRate(written: string): number | undefined {
  const match = RATE.exec(written);
  if (!match) return parseNumber(written);
  return Number(match[1]) / SECONDS[match[2] as keyof typeof SECONDS];
}

function parseNumber(written: string): number | undefined {
  return NUMBER.test(written) ? Number(written) : undefined;
}

function inBounds(
  value: number | undefined,
  min: number,
  max: number,
  fits: (value: number) => boolean = () => true,
): number | undefined {
  return value !== undefined && value >= min && value <= max && fits(value) ? value : undefined;
}
