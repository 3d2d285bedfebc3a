/** What a runner does for one kind of workflow: one loop reacts and tends to what it holds, another delivers messages. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { startLoop } from '../../base/service.ts';
import type { Database } from '../../db/database.ts';
import { type News, tellRunners } from '../../events/herald.ts';
import { tendChildren } from '../children/tend-children.ts';
import type { AnyWorkflow } from '../define.ts';
import { deliverDue } from '../messages/deliver.ts';
import { LoneDelivery } from '../messages/deliver-alone.ts';
import { nextDue } from '../messages/message-store.ts';
import type { CodeLock } from '../user-code/code-lock.ts';
import type { Holdings } from './holdings.ts';
import type { Reactor } from './reactor.ts';

export interface CrewOptions {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly say: (sentence: string) => void;
  /** Events were reacted to. */
  readonly reacted: (events: number) => void;
  readonly delivered: (messages: number) => void;
  /** These kinds of workflows have messages now. */
  readonly told: (workflows: ReadonlySet<string>) => void;
  readonly acts: () => void;
  /** Workflows ended. */
  readonly ended: () => void;
  /** What runs at the same time in this process. */
  readonly lock: CodeLock;
  /** A message was found to end the process. */
  readonly convicted: () => Promise<void>;
  /** It can't go on. */
  readonly broken: (error: unknown) => void;
}

export interface Crew {
  readonly name: string;
  /** There is something new; null: perhaps of anything. */
  wake(news: News | null): void;
  stop(): Promise<void>;
}

const QUIET_EVERY_MS = 60_000;
const PAUSE_AFTER_TROUBLE_MS = 1000;
const PAUSE_WHEN_OVERTAKEN_MS = 20;

export function startCrew(
  db: Database,
  workflow: AnyWorkflow,
  holdings: Holdings,
  reactor: Reactor,
  options: CrewOptions,
): Crew {
  const { name } = workflow;
  const { leaseMs, pollMs, say, lock, convicted } = options;
  /** Leases are renewed between rounds. */
  const waitMs = leaseMs / 6;
  const lone = new LoneDelivery(db, workflow, { say, convicted });
  let tended = Number.NEGATIVE_INFINITY;
  let quieted = performance.now();
  /** The last round ended with an error that neither the database's state nor another runner explains. */
  let failed = false;

  /** Now and then, and when somebody came or went. */
  async function tend(): Promise<void> {
    if (performance.now() - tended < leaseMs / 3) return;
    tended = performance.now();
    const { released } = await holdings.tend();
    if (released > 0) await tellRunners(db, name, 'layout'); // somebody waits for them
  }

  async function react(): Promise<number> {
    await tend();
    const mode = reactor.isCareful ? 'exclusive' : 'shared';
    const round = await lock.hold(mode, () => reactor.round(), waitMs);
    if (round === null) return 0;
    const { events, written, needNewer } = round;
    failed = false;
    if (needNewer > 0) tended = Number.NEGATIVE_INFINITY; // a runner of that version may be there
    if (events > 0) options.reacted(events);
    if (written.told.size > 0) options.told(written.told);
    if (written.actions > 0) options.acts();
    if (written.ended > 0) options.ended();
    if (events > 0) return 0;
    if (performance.now() - quieted > QUIET_EVERY_MS) {
      quieted = performance.now();
      await reactor.passQuiet();
    }
    return pollMs * (0.75 + Math.random() / 2);
  }

  /** Another runner came first, the database is away, or the layout has changed: nothing was written, and nothing known is certain. */
  async function startAgain(error: unknown): Promise<number> {
    const isOvertaken = error instanceof SeineError && error.kind === 'conflict';
    if (isOvertaken && !error.retry) options.broken(error);
    if (!isOvertaken) say(`${name}: ${messageOf(error)}`);
    failed = !(error instanceof SeineError);
    reactor.reset();
    tended = Number.NEGATIVE_INFINITY;
    await holdings.reread().catch(() => {});
    return isOvertaken && error.retry ? PAUSE_WHEN_OVERTAKEN_MS : PAUSE_AFTER_TROUBLE_MS;
  }

  async function send(): Promise<number> {
    const { mine } = holdings;
    if (mine.parts.length > 0) {
      const tended = await tendChildren(db, workflow, mine, (sentence) => say(`${name}: ${sentence}`));
      if (tended.children > 0) options.ended();
      if (tended.told.size > 0) options.told(tended.told);
      if (tended.children > 0) reacting.wake();
    }
    if (holdings.crashed.parts.length > 0) return deliverAlone();
    const due = mine.parts.length > 0 ? await nextDue(db, workflow, mine) : null;
    if (due !== 0) return Math.min(pollMs * (0.75 + Math.random() / 2), Math.max(due ?? pollMs, 5));
    const delivered = await lock.hold('shared', () => deliverDue(db, workflow, mine, { say }), waitMs);
    if (delivered === null) return 0;
    if (delivered > 0) options.delivered(delivered);
    return delivered > 0 ? 0 : pollMs / 10; // somebody else has them in hand
  }

  /** What a dead process may have been delivering, before anything else. */
  async function deliverAlone(): Promise<number> {
    const { crashed } = holdings;
    const round = await lock.hold('exclusive', () => lone.round(crashed), waitMs);
    if (round === null) return 0;
    if (round.delivered > 0) options.delivered(round.delivered);
    if (round.isSafe) await holdings.declareSafe(crashed);
    return 0;
  }

  const reacting = startLoop(`react to ${name}`, () => react().catch(startAgain));
  const sending = startLoop(`deliver to ${name}`, () =>
    send().catch((error) => {
      if (!(error instanceof SeineError && error.retry)) say(`${name}: ${messageOf(error)}`);
      return pollMs;
    }),
  );
  return {
    name,
    wake: (news) => {
      if (news === 'layout') tended = Number.NEGATIVE_INFINITY;
      if (news !== 'messages') reacting.wake();
      if (news !== 'events') sending.wake();
    },
    stop: async () => {
      await Promise.all([reacting.stop(), sending.stop()]);
      await holdings.letGo({ failed }).catch(() => {}); // they expire
    },
  };
}
