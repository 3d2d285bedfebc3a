/** Exit codes, documented in the README and in `seine scan --help`. */
import { type ErrorKind, messageOf, SeineError } from '../base/errors.ts';
import { redactCredentials } from '../base/redact.ts';
import { paint, type TerminalStyle } from './output/terminal-style.ts';
import { visible, visibleLines } from './output/visible.ts';

export const EXIT = { done: 0, error: 1, usage: 2, findings: 3 } as const;

export type SetExitCode = (code: number) => void;

export function exitCodeOf(error: unknown): number {
  const usage: readonly ErrorKind[] = ['usage'];
  return error instanceof SeineError && usage.includes(error.kind) ? EXIT.usage : EXIT.error;
}

/** The message and its hint. The stack trace is added for internal errors (not a `SeineError`) and with `--verbose`. */
export function describeError(error: unknown, style: TerminalStyle, verbose: boolean): string {
  const lines = [`${paint(style, 'red', 'seine:')} ${visibleLines(messageOf(error))}`];
  if (error instanceof SeineError && error.hint) lines.push(`  ${visibleLines(error.hint)}`);
  const isInternal = !(error instanceof SeineError);
  if (isInternal || verbose) lines.push(...traceOf(error).split('\n').map(visible));
  if (isInternal) lines.push('  This is a bug in Seine. Please report it with the lines above.');
  return `${lines.join('\n')}\n`;
}

function traceOf(error: unknown): string {
  return redactCredentials(error instanceof Error && error.stack ? error.stack : String(error));
}
