import type { ExtractionLimits } from './budget/limits.ts';
import { DEFAULT_EXTRACTION_OPTIONS, extractBytes, extractStream } from './extract.ts';
import type { ExtractionResult, TextPart, TextSink } from './extraction.ts';

/** What tests compare: the parts with their whole text, and the reading. */
export interface Extracted {
  readonly result: ExtractionResult | null;
  readonly parts: readonly {
    name: string | null;
    format: string;
    charset: string;
    text: string;
    part: TextPart;
  }[];
}

export function viaBytes(name: string, bytes: Uint8Array): Extracted {
  const sink = new Collector();
  const result = extractBytes(name, bytes, sink);
  return { result, parts: sink.parts };
}

export async function viaStream(
  name: string,
  bytes: Uint8Array,
  sizes: readonly number[] = [4096],
  limits?: ExtractionLimits,
): Promise<Extracted> {
  const sink = new Collector();
  const result = await extractStream(name, chunked(bytes, sizes), sink, {
    ...DEFAULT_EXTRACTION_OPTIONS,
    ...(limits && { limits }),
  });
  return { result, parts: sink.parts };
}

/** Without the functions, which differ from part to part. */
export function shape({ result, parts }: Extracted) {
  return { result, parts: parts.map(({ part, ...seen }) => seen) };
}

/** The chunks share one buffer that is overwritten, so keeping one, or a slice of it, is detected. */
async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const shared = Buffer.alloc(Math.max(...sizes, 1));
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    const chunk = bytes.subarray(from, from + size);
    shared.set(chunk);
    yield shared.subarray(0, chunk.length);
    shared.fill(0x21);
    from += size;
  }
}

/** Records all calls, and checks that their order is valid. */
export class Collector implements TextSink {
  readonly parts: { name: string | null; format: string; charset: string; text: string; part: TextPart }[] =
    [];
  #texts: Buffer[] | null = null;
  #part: TextPart | null = null;

  begin(part: TextPart): void {
    if (this.#texts !== null) throw new Error('begin before end');
    this.#part = part;
    this.#texts = [];
  }

  text(bytes: Uint8Array): void {
    if (this.#texts === null) throw new Error('text before begin');
    if (bytes.length === 0) throw new Error('empty text');
    this.#texts.push(Buffer.from(bytes));
  }

  end(): void {
    if (this.#texts === null || this.#part === null) throw new Error('end before begin');
    const { name, format, charset } = this.#part;
    const text = Buffer.concat(this.#texts).toString('latin1');
    this.parts.push({ name, format, charset, text, part: this.#part });
    this.#texts = null;
  }
}
