/** Problems of a configuration with their positions. All are collected, so that a file can be corrected at once. */
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
  /** `via`: the value as written, if it contains variables. */
  | { readonly kind: 'file'; readonly at: Position; readonly via?: string }
  | { readonly kind: 'default' };

export interface Problem {
  readonly level: 'error' | 'warning';
  /** `queue.claim_timeout`; '' for the file as a whole. */
  readonly setting: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hint: string | undefined;
  /** Valid, but not allowed in a file that was neither named nor trusted. */
  readonly untrusted?: true;
}

/** Converts an error thrown while a value was read into a problem of that value. */
export function toProblem(error: unknown, level: Problem['level'], setting: string, origin: Origin): Problem {
  if (!(error instanceof SeineError)) throw error;
  return { level, setting, origin, message: messageOf(error).replace(/\.$/, ''), hint: error.hint };
}

/** `seine.yaml:4:12`, or the other origin of the value. */
export function formatOrigin(origin: Origin, file: string | null): string {
  if (origin.kind === 'file') return `${file ?? 'file'}:${origin.at.line}:${origin.at.column}`;
  return origin.kind === 'env' ? 'environment' : origin.kind === 'flag' ? 'command line' : 'default';
}

/** The first error as an exception, for commands that need a valid configuration. */
export function configError(errors: readonly Problem[], file: string | null): SeineError {
  const { origin, message, hint, untrusted } = errors[0]!;
  if (untrusted) return untrustedConfigError(errors, file!);
  const more = errors.length > 1 && `${errors.length} errors in total. List them: seine config check`;
  const hints = [hint, more].filter(Boolean).join('\n  ');
  const where = origin.kind === 'file' ? `${formatOrigin(origin, file)}: ` : '';
  return new SeineError('usage', `${where}${message}.`, hints === '' ? {} : { hint: hints });
}

/** Untrusted settings listed in the error. */
const MAX_LISTED = 12;

/** Lists all of them and both solutions: the user decides about the file, not about one setting. */
function untrustedConfigError(errors: readonly Problem[], file: string): SeineError {
  const named = errors
    .slice(0, MAX_LISTED)
    .map(
      ({ origin, message }) =>
        `  ${formatOrigin(origin, file)}: ${message.replace(/ is only allowed in a .*/, '')}`,
    );
  const more = errors.length > MAX_LISTED ? [`  and ${errors.length - MAX_LISTED} more`] : [];
  const count = errors.length === 1 ? 'a setting' : `${errors.length} settings`;
  const lines = [
    `The configuration file ${file} was found automatically and is not trusted. It has ${count} that such a file must not contain:`,
    ...named,
    ...more,
  ];
  return new SeineError('usage', lines.join('\n'), { hint: trustHint(file) });
}

export function trustHint(file: string): string {
  return [
    `Review the file. If you trust it, specify it (--config ${file}, or SEINE_CONFIG=${file}),`,
    `or trust its current content: seine config trust ${file}`,
    'To ignore it: --config /dev/null',
  ].join('\n  ');
}
