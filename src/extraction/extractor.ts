/**
 * Everything that one object holds, in order, whatever stands inside what: text goes to the sink as it comes, packed data is
 * unpacked on the way, archives and documents are taken apart piece by piece. What can't be read on is kept as far as it came, and said.
 */
import { readTar } from './archives/tar.ts';
import { readZip } from './archives/zip.ts';
import type { Budget } from './budget.ts';
import { dividedReading, isLast, toldIfDivided } from './divided.ts';
import type { Documents, Surroundings } from './documents.ts';
import type { Reading, TextSink } from './extraction.ts';
import { ByteQueue } from './formats/byte-queue.ts';
import { innerName, Unpacking } from './formats/packed/unpacking.ts';
import { inSteps, readHead, resumed } from './head.ts';
import { type Inside, member, OBJECT, packedIn, textName } from './inside.ts';
import { type Kind, kindOf } from './kind.ts';
import { lieOf, noted } from './lie.ts';
import type { Packing } from './magic.ts';
import { MeteredSink } from './metered-sink.ts';
import { Obstacle } from './obstacle.ts';
import type { Entry, Piece, RandomAccess, ReadingOptions } from './piece.ts';
import type { ArchiveKind, DocumentKind } from './readable.ts';
import { HEAD_BYTES, type Intake, partial, skipped } from './reading.ts';
import { type Spooled, spool } from './spool.ts';
import { openText } from './text-intake.ts';
import { TextParts } from './text-parts.ts';
import { Verdict } from './verdict.ts';

export interface ExtractorTools {
  readonly sink: TextSink;
  readonly budget: Budget;
  readonly options: ReadingOptions;
  readonly documents: Documents;
  /** Whoever takes the text may need a moment; asked after every piece. */
  readonly room?: () => Promise<void>;
  /** How much of a stream may be held in memory before it goes into the scratch folder. */
  readonly inMemory?: number;
}

export class Extractor implements Surroundings {
  readonly #tools: ExtractorTools;
  readonly sink: MeteredSink;
  readonly budget: Budget;
  readonly options: ReadingOptions;

  constructor(tools: ExtractorTools) {
    this.#tools = tools;
    this.sink = new MeteredSink(tools.sink, tools.budget);
    this.budget = tools.budget;
    this.options = tools.options;
  }

  /** `access`: the same bytes, if they can be read from anywhere. */
  async extract(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    inside: Inside = OBJECT,
    access: RandomAccess | null = null,
  ): Promise<Reading> {
    const input = (inside.depth > 0 ? chunks : this.#taken(chunks, access))[Symbol.asyncIterator]();
    try {
      const head = await readHead(input);
      const kind = kindOf(name, head.subarray(0, HEAD_BYTES), head.length <= HEAD_BYTES);
      const reading = toldIfDivided(name, await this.#read({ name, kind, head, input, access }, inside));
      return inside.depth > 0 || head.length === 0 ? reading : noted(reading, lieOf(name, kind, reading));
    } finally {
      await input.return?.();
    }
  }

  /** The bytes of the object itself: the more there are, the more it may cost. */
  async *#taken(chunks: AsyncIterable<Uint8Array>, access: RandomAccess | null): AsyncGenerator<Uint8Array> {
    const { spent } = this.budget;
    spent.input = access?.size ?? 0;
    for await (const chunk of chunks) {
      if (access === null) spent.input += chunk.length;
      yield chunk;
    }
  }

  async #pause(): Promise<void> {
    this.budget.check();
    await this.#tools.room?.();
  }

  async #read({ name, kind, head, input, access }: Begun, inside: Inside): Promise<Reading> {
    if (kind.is === 'text') return this.#text(kind, head, input, inside);
    if (kind.is === 'binary' && access !== null && (await isLast(name, access))) return dividedReading;
    if (kind.is === 'binary') return unsupported(kind.label, inside.within);
    if (inside.depth >= this.budget.limits.depth) return tooDeep;
    if (kind.is === 'document' && access !== null) {
      await input.return?.(); // whoever can be read from anywhere needs no stream
      return this.#readDocument(kind.document, access, inside);
    }
    const all = resumed(head, input);
    if (kind.is === 'packed') return this.#packed(name, kind.packing, all, inside);
    return kind.is === 'archive'
      ? this.#archive(kind.archive, all, inside)
      : this.#document(kind.document, all, inside);
  }

  async #text(
    kind: Text,
    head: Uint8Array,
    input: AsyncIterator<Uint8Array>,
    inside: Inside,
  ): Promise<Reading> {
    const intake = openText(kind, { part: textName(inside), start: 0, sink: this.sink }, this.budget.limits);
    const verdict = new Verdict();
    try {
      for await (const chunk of inSteps(resumed(head, input))) {
        if (intake.open !== true) await this.#held(intake, inside, verdict);
        intake.push(chunk);
        await this.#pause();
      }
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      verdict.obstacle(error);
    }
    verdict.inside(intake.end());
    await this.#held(intake, inside, verdict);
    return verdict.reading(kind.format);
  }

  /** Attachments that are no text. */
  async #held(intake: Intake, inside: Inside, verdict: Verdict): Promise<void> {
    for (const { name, bytes } of intake.takeHeld?.() ?? [])
      verdict.inside(await this.#entry({ is: 'entry', name, bytes: this.#counted(bytes) }, inside));
  }

  async *#counted(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    this.budget.entry();
    yield* chunks;
  }

  async #packed(
    name: string,
    packing: Packing,
    input: AsyncGenerator<Uint8Array>,
    inside: Inside,
  ): Promise<Reading> {
    const unpacking = new Unpacking(packing, input, this.budget);
    return unpacking.verdict(await this.extract(innerName(name), unpacking, packedIn(inside, packing)));
  }

  async #archive(archive: ArchiveKind, input: AsyncGenerator<Uint8Array>, inside: Inside): Promise<Reading> {
    const queue = new ByteQueue(input);
    const pieces = archive === 'tar' ? readTar(queue, this.budget) : readZip(queue, this.budget);
    return (await this.pieces(pieces, inside)).reading(archive);
  }

  /** It stands in a stream: it is kept while it is read. */
  async #document(
    document: DocumentKind,
    input: AsyncGenerator<Uint8Array>,
    inside: Inside,
  ): Promise<Reading> {
    const spooled = await this.#spooled(input);
    if ('state' in spooled) return spooled;
    try {
      return await this.#readDocument(document, spooled, inside);
    } finally {
      await spooled.close();
    }
  }

  async #readDocument(document: DocumentKind, input: RandomAccess, inside: Inside): Promise<Reading> {
    const { budget, options, sink } = this;
    const pieces = this.pieces.bind(this);
    try {
      const around = { budget, options, sink: sink.checked(), pieces };
      return await this.#tools.documents.read({ document, input, inside }, around);
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      sink.close();
      return partial(error.message, document);
    }
  }

  /** What can't be kept is not read: a part of a document is none. */
  async #spooled(input: AsyncGenerator<Uint8Array>): Promise<Spooled | Reading> {
    try {
      return await spool(input, this.budget.limits.documentBytes, this.#tools.inMemory);
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      return skipped(error.message);
    }
  }

  async pieces(pieces: AsyncIterable<Piece>, inside: Inside): Promise<Verdict> {
    const verdict = new Verdict();
    const texts = new TextParts(this.sink, inside);
    try {
      for await (const piece of pieces) {
        if (piece.is === 'text') {
          texts.take(piece);
          verdict.text();
        } else {
          texts.end();
          verdict.inside(await this.#entry(piece, inside));
        }
        await this.#pause();
      }
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      verdict.obstacle(error);
    } finally {
      texts.end();
      this.budget.measure(); // also of a document that gave nothing
    }
    return verdict;
  }

  /** What stops at one member need not stop at the next. If a limit of the object is reached, the next one will say so. */
  async #entry({ name, bytes }: Entry, inside: Inside): Promise<Reading> {
    try {
      this.budget.check();
      return await this.extract(name, bytes, member(inside, name));
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      return skipped(error.message);
    }
  }
}

type Text = Extract<Kind, { is: 'text' }>;

/** Something whose head has been looked at. */
interface Begun {
  readonly name: string;
  readonly kind: Kind;
  readonly head: Uint8Array;
  readonly input: AsyncIterator<Uint8Array>;
  readonly access: RandomAccess | null;
}

const tooDeep = skipped('limit: depth');

export function unsupported(label: string, within: readonly Packing[]): Reading {
  return skipped(`unsupported format: ${[label, ...within.toReversed()].join(' in ')}`);
}
