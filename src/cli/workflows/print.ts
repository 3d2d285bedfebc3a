/** Output shared by the workflow commands: data goes to standard output, messages to standard error. */
import { SeineError } from '../../base/errors.ts';
import { duration } from '../../config/declaration/value-type.ts';
import type { Typed } from '../../workflows/typed.ts';
import { age } from '../output/live/age.ts';

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** "12 min ago", "in 3 h". */
export function formatTime(at: Date | null, now = Date.now()): string {
  if (at === null) return '';
  const seconds = (now - at.getTime()) / 1000;
  return seconds >= 0 ? `${age(seconds)} ago` : `in ${age(-seconds)}`;
}

export function parseCommand(text: string): Typed & Readonly<Record<string, unknown>> {
  const hint = `Write it as JSON with a type: '{"type":"approve","by":"ada"}'`;
  let command: unknown;
  try {
    command = JSON.parse(text);
  } catch {
    throw new SeineError('usage', `The command is not valid JSON: ${text}`, { hint });
  }
  const { type } = (command ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || type === '')
    throw new SeineError('usage', `The command has no type: ${text}`, { hint });
  return command as Typed & Readonly<Record<string, unknown>>;
}

const YEARS = 100 * 365 * 86_400_000;

export function parseDuration(name: string, text: string): number {
  const kind = duration(0, YEARS);
  const ms = kind.parse(text);
  if (ms !== undefined) return ms;
  throw new SeineError('usage', `${name} is not a duration: "${text}".`, {
    hint: 'Write it like 500ms, 15s, 5m, 2h or 90d; a bare number is seconds.',
  });
}

export function parseTime(name: string, text: string): Date {
  const at = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? new Date(text.trim()) : new Date(Number.NaN);
  if (!Number.isNaN(at.getTime())) return at;
  throw new SeineError('usage', `${name} is not a date and time: "${text}".`, {
    hint: 'Write it like 2025-01-31T12:00:00Z.',
  });
}
