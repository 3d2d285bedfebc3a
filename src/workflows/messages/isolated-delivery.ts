/**
 * Deliveries that crash their process (process.exit, a crash of native code, out of memory). After a crash, the partitions it held are marked as
 * crashed by the claim of the next holder. The messages of the interrupted batch are the first due there, so these are suspects: each is delivered
 * alone, while no other user code runs in the process, and its attempt is counted before it starts. A message that crashes the process repeatedly is
 * parked without another attempt. When all have been processed, the partitions are safe, and deliveries are batched again.
 *
 * Without a crash nothing is counted and no additional row is written.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { writeWithBisection } from '../../db/write-with-bisection.ts';
import type { AnyWorkflow } from '../define.ts';
import { CountedAttempt } from '../user-code/counted-attempt.ts';
import { BATCH, type DeliverOptions, Delivery, PARK_AFTER, TIME_LIMITS } from './deliver.ts';
import { describeMessage } from './message-command.ts';
import {
  type AssignedPartitions,
  countIsolatedAttempt,
  type DueMessage,
  dueMessages,
  uncountIsolatedAttempt,
} from './message-store.ts';

export interface IsolatedDeliveryOptions extends DeliverOptions {
  /** Called after a message that crashes the process was parked. */
  readonly onCrasherParked?: () => Promise<void>;
}

export interface IsolatedRound {
  readonly delivered: number;
  /** All suspects of these partitions were processed. */
  readonly isSafe: boolean;
}

export class IsolatedDelivery {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #options: IsolatedDeliveryOptions;
  readonly #counted: CountedAttempt;
  /** The partitions these suspects belong to. */
  #parts = '';
  /** At most one batch of messages was in progress. */
  #left = BATCH;

  constructor(db: Database, workflow: AnyWorkflow, options: IsolatedDeliveryOptions = {}) {
    this.#db = db;
    this.#workflow = workflow;
    this.#options = options;
    this.#counted = new CountedAttempt(options.parkAfter ?? PARK_AFTER);
  }

  /** Delivers suspects of crashed partitions within the time limit of one round. The caller ensures that no other user code runs meanwhile. */
  async round(crashed: AssignedPartitions): Promise<IsolatedRound> {
    await this.#counted.uncount();
    const { budgetMs = TIME_LIMITS.budgetMs } = this.#options;
    const until = performance.now() + budgetMs;
    if (String(crashed.parts) !== this.#parts) this.#left = BATCH;
    this.#parts = String(crashed.parts);
    const due = await dueMessages(this.#db, this.#workflow, crashed, this.#left);
    const delivery = new Delivery(this.#db, this.#workflow, this.#options);
    let delivered = 0;
    for (const [n, message] of due.entries()) {
      if (n > 0 && performance.now() > until) return { delivered, isSafe: false };
      if (!delivery.mustWait(message)) delivered += await this.#deliver(delivery, message);
      this.#left -= 1;
    }
    this.#parts = '';
    return { delivered, isSafe: true };
  }

  async #deliver(delivery: Delivery, message: DueMessage): Promise<number> {
    let row: string | null = null;
    const counting = {
      attempts: message.crashes,
      count: async () => {
        const noted = await countIsolatedAttempt(this.#db, message);
        row = noted?.row ?? null;
        return noted?.crashes ?? 0;
      },
      uncount: (crashes: number) => uncountIsolatedAttempt(this.#db, message.id, crashes),
    };
    return this.#counted.run(
      counting,
      async () => (row === null ? 0 : this.#deliverCounted(delivery, { ...message, row })), // null: it is due again
      async (crashes) => {
        await delivery.park({ ...message, row: row! }, this.#crashError(message, crashes - 1));
        await this.#options.onCrasherParked?.();
        return 1;
      },
    );
  }

  /** The process did not crash, whatever the result: unlike a failure, a crash is not settled with it. */
  async #deliverCounted(delivery: Delivery, message: DueMessage): Promise<number> {
    try {
      const settled = await writeWithBisection(
        [message],
        (some) => delivery.deliver(some),
        (one, error) => delivery.refuse(one, error),
      );
      return settled.reduce((sum, n) => sum + n, 0);
    } finally {
      await this.#counted.uncount(); // during an outage the next round repeats it
    }
  }

  #crashError(message: DueMessage, crashes: number): SeineError {
    const { id, workflowId } = message;
    return new SeineError(
      'internal',
      `${this.#workflow.name} ${workflowId}: the delivery of message ${id} (${describeMessage(message)}) crashed the process ${crashes} times while nothing else ran in it.`,
      { hint: 'Check the workflow for code that crashes the process or exhausts its memory.' },
    );
  }
}
