/** What is wrong with a configuration, and where. All problems are collected: a file is corrected once, not line by line. */
import { messageOf, SeineError } from '../base/errors.ts';

/** Counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function byPosition(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

/** Where a value came from. */
export type Origin =
  | { readonly kind: 'flag' | 'env'; readonly name: string }
  /** `via`: as written, where it names environment variables. */
  | { readonly kind: 'file'; readonly at: Position; readonly via?: string }
  | { readonly kind: 'default' };

export interface Problem {
  readonly level: 'error' | 'warning';
  /** `queue.claim_timeout`; '' for the file as a whole. */
  readonly setting: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hint: string | undefined;
  /** Not wrong, but more than a file may say that was neither named nor trusted. */
  readonly untrusted?: true;
}

/** What was thrown while a value was read, as a problem of that value. */
export function toProblem(error: unknown, level: Problem['level'], setting: string, origin: Origin): Problem {
  if (!(error instanceof SeineError)) throw error;
  return { level, setting, origin, message: messageOf(error).replace(/\.$/, ''), hint: error.hint };
}

/** `seine.yaml:4:12`, or who else said it. */
export function formatOrigin(origin: Origin, file: string | null): string {
  if (origin.kind === 'file') return `${file ?? 'file'}:${origin.at.line}:${origin.at.column}`;
  return origin.kind === 'env' ? 'environment' : origin.kind === 'flag' ? 'command line' : 'default';
}

/** The first error as an exception, for all that can't go on without a configuration. */
export function configError(errors: readonly Problem[], file: string | null): SeineError {
  const { origin, message, hint, untrusted } = errors[0]!;
  if (untrusted) return untrustedConfigError(errors, file!);
  const more = errors.length > 1 && `There are ${errors.length} errors: seine config check lists them all.`;
  const hints = [hint, more].filter(Boolean).join('\n  ');
  const where = origin.kind === 'file' ? `${formatOrigin(origin, file)}: ` : '';
  return new SeineError('usage', `${where}${message}.`, hints === '' ? {} : { hint: hints });
}

/** Enough to see what the file is after. */
const MAX_LISTED = 12;

/** Names all of them, with both ways out: who reads it decides about the file, not about one setting. */
function untrustedConfigError(errors: readonly Problem[], file: string): SeineError {
  const named = errors
    .slice(0, MAX_LISTED)
    .map(({ origin, message }) => `  ${formatOrigin(origin, file)}: ${message.replace(/ needs a .*/, '')}`);
  const more = errors.length > MAX_LISTED ? [`  and ${errors.length - MAX_LISTED} more`] : [];
  const count = errors.length === 1 ? 'a setting' : `${errors.length} settings`;
  const lines = [
    `The configuration file ${file} was found here, not named, and is not trusted. It has ${count} that such a file may not have:`,
    ...named,
    ...more,
  ];
  return new SeineError('usage', lines.join('\n'), { hint: trustHint(file) });
}

export function trustHint(file: string): string {
  return [
    `Read the file. If you trust it, name it (--config ${file}, or SEINE_CONFIG=${file}),`,
    `or trust it as it is now: seine config trust ${file}`,
    'To go without it: --config /dev/null',
  ].join('\n  ');
}
