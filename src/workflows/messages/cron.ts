/**
 * Computes the next time of a cron timer, in the local time of its zone.
 *
 * A time of day fires once a day: one that occurs twice when clocks go back fires the first time; one skipped when clocks go forward fires as much
 * later as the clock is moved (02:30 becomes 03:30). With every hour (`*`), elapsed hours count, and none is skipped or repeated.
 */
import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { messageOf, SeineError } from '../../base/errors.ts';

export function nextTime(cron: string, zone: string, after: Date): Date {
  const clock = clockOf(zone);
  const time = after.getTime();
  const expression = parse(cron, time + offsetAt(clock, time));
  const next =
    expression.fields.hour.values.length === 24
      ? nextByHours(cron, clock, time)
      : nextByDay(expression, cron, clock, time);
  return new Date(next);
}

/** Throws if the expression is invalid, or never fires. */
export function checkCron(cron: string, zone: string): void {
  nextTime(cron, zone, new Date(0));
}

function nextByDay(expression: CronExpression, cron: string, clock: Clock, after: number): number {
  for (;;) {
    const next = firstShowing(clock, nextOnWall(expression, cron));
    if (next > after) return next;
  }
}

/** The first time the local clock shows this; if it is skipped, computed with the offset before the change. */
function firstShowing(clock: Clock, wall: number): number {
  const [earlier, later] = [offsetAt(clock, wall - DAY), offsetAt(clock, wall + DAY)];
  const first = wall - earlier;
  if (offsetAt(clock, first) === earlier) return first;
  return offsetAt(clock, wall - later) === later ? wall - later : first;
}

/** If the offset changes before that time, it is computed again with the new offset. */
function nextByHours(cron: string, clock: Clock, after: number): number {
  const offset = offsetAt(clock, after);
  const unchanged = nextOnWall(parse(cron, after + offset), cron) - offset;
  const changed = offsetAt(clock, unchanged);
  if (changed === offset) return unchanged;
  const expression = parse(cron, after + changed);
  for (;;) {
    const next = nextOnWall(expression, cron) - changed;
    if (offsetAt(clock, next) === changed) return next;
  }
}

/** Local times are represented as if they were UTC, which has no offset changes. */
function parse(cron: string, wall: number): CronExpression {
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6)
    throw invalidCron(cron, `it has ${cron.trim() === '' ? 'no' : fields} field${fields === 1 ? '' : 's'}`);
  if (/\bH/.test(cron)) throw invalidCron(cron, '"H" stands for no certain time');
  try {
    return CronExpressionParser.parse(cron.trim(), { tz: 'UTC', currentDate: new Date(wall) });
  } catch (error) {
    throw invalidCron(cron, messageOf(error), error);
  }
}

function nextOnWall(expression: CronExpression, cron: string): number {
  try {
    return expression.next().getTime();
  } catch (error) {
    throw invalidCron(cron, 'it never comes', error);
  }
}

function invalidCron(cron: string, why: string, cause?: unknown): SeineError {
  return new SeineError('usage', `"${cron}" can't be used as a cron expression: ${why}.`, {
    hint: 'Five fields (minute, hour, day, month, weekday), or six with the second first: "0 9 * * 1-5".',
    cause,
  });
}

const DAY = 24 * 60 * 60 * 1000;

type Clock = Intl.DateTimeFormat;
const clocks = new Map<string, Clock>();

function clockOf(zone: string): Clock {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = newClock(zone);
  clocks.set(zone, clock);
  return clock;
}

function newClock(zone: string): Clock {
  const number = 'numeric';
  const shown = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...shown, timeZone: String(zone), hourCycle: 'h23' });
  } catch (cause) {
    throw new SeineError('usage', `"${zone}" is no time zone.`, {
      hint: 'Use a name of the time zone database: "Europe/Berlin", "UTC".',
      cause,
    });
  }
}

/** The offset of the local time from UTC, in milliseconds. */
function offsetAt(clock: Clock, time: number): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of clock.formatToParts(time)) shown[type] = Number(value);
  const { year, month, day, hour, minute, second } = shown as Record<string, number>;
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(time / 1000) * 1000;
}
