/**
 * Deliveries that end their process (process.exit, a crash of native code, no memory left). A process that dies leaves the parts it held, marked as
 * crashed by the claim of whoever takes them over. The messages of the batch that it was delivering are the first that are due there, so these are
 * suspects: each is delivered alone, while no other user code runs in the process, and its try is counted before it begins. One that ends
 * its process again and again is parked without another try. When all have been gone through, the parts are safe, and deliveries go in batches again.
 *
 * Without a crash nothing is counted and nothing more is written.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { writeWithBisection } from '../../db/write-with-bisection.ts';
import type { AnyWorkflow } from '../define.ts';
import { BATCH, type DeliverOptions, Delivery, PARK_AFTER, TIME_LIMITS } from './deliver.ts';
import { describeMessage } from './message-command.ts';
import {
  type AssignedPartitions,
  type DueMessage,
  dueMessages,
  endLoneTry,
  noteLoneTry,
} from './message-store.ts';

export interface LoneOptions extends DeliverOptions {
  /** A message was found to end the process, and is parked. */
  readonly convicted?: () => Promise<void>;
}

export interface LoneRound {
  readonly delivered: number;
  /** All suspects of these parts were gone through. */
  readonly isSafe: boolean;
}

export class LoneDelivery {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #options: LoneOptions;
  /** Whose suspects these are. */
  #parts = '';
  /** As many as one batch has. */
  #left = BATCH;

  constructor(db: Database, workflow: AnyWorkflow, options: LoneOptions = {}) {
    this.#db = db;
    this.#workflow = workflow;
    this.#options = options;
  }

  /** Of crashed parts, for as long as one round may take. The caller sees to it that no other user code runs meanwhile. */
  async round(crashed: AssignedPartitions): Promise<LoneRound> {
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
    const noted = await noteLoneTry(this.#db, message);
    if (noted === null) return 0; // changed meanwhile: it comes again
    const { crashes, row } = noted;
    const { parkAfter = PARK_AFTER, convicted = async () => {} } = this.#options;
    if (crashes > parkAfter) {
      await delivery.park({ ...message, row }, this.#verdict(message, crashes - 1));
      await convicted();
      return 1;
    }
    try {
      const settled = await writeWithBisection(
        [{ ...message, row }],
        (some) => delivery.deliver(some),
        (one, error) => delivery.refuse(one, error),
      );
      return settled.reduce((sum, n) => sum + n, 0);
    } finally {
      await endLoneTry(this.#db, message.id, crashes);
    }
  }

  #verdict(message: DueMessage, crashes: number): SeineError {
    const { id, workflowId } = message;
    return new SeineError(
      'internal',
      `${this.#workflow.name} ${workflowId}: the delivery of message ${id} (${describeMessage(message)}) ended the process ${crashes} times while nothing else ran in it.`,
      { hint: 'Correct what ends the process, or needs more memory than it has.' },
    );
  }
}
