import type { RandomAccess } from '../document-item.ts';
import type { DocumentRequest, ReaderContext } from '../document-readers.ts';
import type { TextPart, TextSink } from '../extraction.ts';
import { fieldLocatorOf } from '../structure/field-locator.ts';
import { gridFieldLocator } from '../structure/grid-fields.ts';
import {
  giveBytes,
  type JobDone,
  MAX_BYTES,
  type Need,
  receive,
  sendMessage,
  type TextBegins,
} from './frames.ts';
import type { ReaderProcess } from './reader-process.ts';
import type { ReaderWatchdog } from './reader-watchdog.ts';

/** One document, from the job to its end. Null: the process has ended. */
export async function exchange(
  { socket, queue }: ReaderProcess,
  { document, input, path }: DocumentRequest,
  { budget, options }: Pick<ReaderContext, 'budget' | 'options'>,
  sink: TextSink,
  watchdog: ReaderWatchdog,
): Promise<JobDone | { readonly failed: string } | null> {
  const { size } = input;
  const whole = size <= MAX_BYTES; // of longer ones the process requests what it needs
  const { usage } = budget;
  const limits = budget.documentLimits(options.ocr);
  sendMessage(socket, { is: 'job', job: { document, size, whole, path, limits, usage, options } });
  if (whole) giveBytes(socket, await input.read(0, size));
  const texts = new ReceivedTexts(sink);
  for (;;) {
    const message = await watchdog.during(receive(queue));
    if (message === null) return null;
    if (message.is === 'need') giveBytes(socket, await answerTo(message, input));
    else if (message.is === 'begin') texts.begin(message.text);
    else if (message.is === 'bytes') texts.bytes(message.bytes);
    else if (message.is === 'end') texts.end();
    else if (message.is === 'spent') budget.readerMs = message.cpuMs;
    else if (message.is === 'failed') return { failed: message.message };
    else if (message.is === 'done') return message.done;
  }
}

/** At most one frame, whatever the process requests. */
function answerTo({ from, to }: Need, input: RandomAccess): Promise<Uint8Array> {
  return input.read(from, Math.min(to, from + MAX_BYTES));
}

/** A text begins when its first bytes are there: some formats take the names of their fields from them. */
class ReceivedTexts {
  readonly #sink: TextSink;
  #begins: TextBegins | null = null;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  begin(text: TextBegins): void {
    this.#begins = text;
  }

  bytes(bytes: Uint8Array): void {
    this.#begun(bytes);
    this.#sink.text(bytes);
  }

  end(): void {
    this.#begun(new Uint8Array(0));
    this.#sink.end();
  }

  #begun(head: Uint8Array): void {
    if (this.#begins === null) return;
    this.#sink.begin(partOf(this.#begins, head));
    this.#begins = null;
  }
}

function partOf({ name, format, charset, grid, before }: TextBegins, head: Uint8Array): TextPart {
  const first = before?.bytes ?? 0;
  return {
    name,
    format,
    charset,
    sourceOffset: (offset) => first + offset,
    ...(grid ? gridFieldLocator(grid, head) : fieldLocatorOf(format, head)),
    ...(grid && { grid }),
    ...(before && { before }),
  };
}
