/**
 * Extracts everything in an object, in order, at any nesting: text is streamed to the sink, compressed data is decompressed on the fly,
 * archives and documents are read entry by entry. If something can't be read completely, what was read is kept and the rest is reported.
 */
import { readTar } from './archives/tar/tar.ts';
import { readZip } from './archives/zip/zip.ts';
import type { ExtractionBudget } from './budget/extraction-budget.ts';
import { MeteredSink } from './budget/metered-sink.ts';
import type { DocumentItem, EmbeddedEntry, RandomAccess, ReadingOptions } from './document-item.ts';
import type { DocumentReaders, ReaderContext } from './document-readers.ts';
import { compressedPath, type EmbeddedPath, memberPath, ROOT_PATH, textName } from './embedded-path.ts';
import type { ExtractionResult, TextSink } from './extraction.ts';
import { ExtractionError } from './extraction-error.ts';
import { ExtractionResultBuilder } from './extraction-result-builder.ts';
import { ByteQueue } from './formats/byte-queue.ts';
import { Decompressor, innerName } from './formats/compression/decompressor.ts';
import { readHead, splitChunks, withHead } from './input/read-head.ts';
import { type Spooled, spool } from './input/spool.ts';
import { isLastVolume, markMultiVolume, multiVolumeResult } from './multi-volume.ts';
import { HEAD_BYTES, type PushParser, partialResult, skippedResult } from './push-parser.ts';
import type { Compression } from './sniff/magic.ts';
import type { ArchiveType, DocumentType } from './sniff/readable.ts';
import { type SniffedType, sniffType } from './sniff/sniff.ts';
import { findTypeMismatch, withTypeMismatch } from './sniff/type-mismatch.ts';
import { createTextParser } from './text-parser.ts';
import { TextParts } from './text-parts.ts';

export interface ExtractorDeps {
  readonly sink: TextSink;
  readonly budget: ExtractionBudget;
  readonly options: ReadingOptions;
  readonly documents: DocumentReaders;
  /** Backpressure of the text's consumer; awaited after every chunk. */
  readonly waitForDrain?: () => Promise<void>;
  /** How much of a stream may be buffered in memory before it is spooled to the scratch folder. */
  readonly maxInMemoryBytes?: number;
}

export class Extractor implements ReaderContext {
  readonly #deps: ExtractorDeps;
  readonly sink: MeteredSink;
  readonly budget: ExtractionBudget;
  readonly options: ReadingOptions;

  constructor(deps: ExtractorDeps) {
    this.#deps = deps;
    this.sink = new MeteredSink(deps.sink, deps.budget);
    this.budget = deps.budget;
    this.options = deps.options;
  }

  /** `access`: the same bytes, if they can be read from anywhere. */
  async extract(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    path: EmbeddedPath = ROOT_PATH,
    access: RandomAccess | null = null,
  ): Promise<ExtractionResult> {
    const input = (path.depth > 0 ? chunks : this.#countInput(chunks, access))[Symbol.asyncIterator]();
    try {
      const head = await readHead(input);
      const type = sniffType(name, head.subarray(0, HEAD_BYTES), head.length <= HEAD_BYTES);
      const result = markMultiVolume(
        name,
        await this.#extractSniffed({ name, type, head, input, access }, path),
      );
      return path.depth > 0 || head.length === 0
        ? result
        : withTypeMismatch(result, findTypeMismatch(name, type, result));
    } finally {
      await input.return?.();
    }
  }

  /** The bytes of the object itself: the more there are, the more it may cost. */
  async *#countInput(
    chunks: AsyncIterable<Uint8Array>,
    access: RandomAccess | null,
  ): AsyncGenerator<Uint8Array> {
    const { usage } = this.budget;
    usage.input = access?.size ?? 0;
    for await (const chunk of chunks) {
      if (access === null) usage.input += chunk.length;
      yield chunk;
    }
  }

  async #afterItem(): Promise<void> {
    this.budget.check();
    await this.#deps.waitForDrain?.();
  }

  async #extractSniffed(
    { name, type, head, input, access }: SniffedInput,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    if (type.is === 'text') return this.#extractText(type, head, input, path);
    if (type.is === 'binary' && access !== null && (await isLastVolume(name, access)))
      return multiVolumeResult;
    if (type.is === 'binary') return unsupported(type.label, path.compressions);
    if (path.depth >= this.budget.limits.depth) return tooDeep;
    if (type.is === 'document' && access !== null) {
      await input.return?.(); // random access needs no stream
      return this.#readDocument(type.document, access, path);
    }
    const all = withHead(head, input);
    if (type.is === 'compressed') return this.#extractCompressed(name, type.compression, all, path);
    return type.is === 'archive'
      ? this.#extractArchive(type.archive, all, path)
      : this.#extractDocument(type.document, all, path);
  }

  async #extractText(
    kind: Text,
    head: Uint8Array,
    input: AsyncIterator<Uint8Array>,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    const parser = createTextParser(
      kind,
      { part: textName(path), start: 0, sink: this.sink },
      this.budget.limits,
    );
    const builder = new ExtractionResultBuilder();
    try {
      for await (const chunk of splitChunks(withHead(head, input))) {
        if (parser.open !== true) await this.#extractAttachments(parser, path, builder);
        parser.push(chunk);
        await this.#afterItem();
      }
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      builder.addError(error);
    }
    builder.addEmbedded(parser.end());
    await this.#extractAttachments(parser, path, builder);
    return builder.build(kind.format);
  }

  /** Extracts attachments that are not text. */
  async #extractAttachments(
    parser: PushParser,
    path: EmbeddedPath,
    builder: ExtractionResultBuilder,
  ): Promise<void> {
    for (const { name, bytes } of parser.takeAttachments?.() ?? [])
      builder.addEmbedded(
        await this.#extractEntry({ is: 'entry', name, bytes: this.#countEntry(bytes) }, path),
      );
  }

  async *#countEntry(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    this.budget.countEntry();
    yield* chunks;
  }

  async #extractCompressed(
    name: string,
    compression: Compression,
    input: AsyncGenerator<Uint8Array>,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    const decompressor = new Decompressor(compression, input, this.budget);
    return decompressor.finish(
      await this.extract(innerName(name), decompressor, compressedPath(path, compression)),
    );
  }

  async #extractArchive(
    archive: ArchiveType,
    input: AsyncGenerator<Uint8Array>,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    const queue = new ByteQueue(input);
    const items = archive === 'tar' ? readTar(queue, this.budget) : readZip(queue, this.budget);
    return (await this.extractItems(items, path)).build(archive);
  }

  /** Spools a document that is inside a stream, because its reader needs random access. */
  async #extractDocument(
    document: DocumentType,
    input: AsyncGenerator<Uint8Array>,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    const spooled = await this.#spoolDocument(input);
    if ('state' in spooled) return spooled;
    try {
      return await this.#readDocument(document, spooled, path);
    } finally {
      await spooled.close();
    }
  }

  async #readDocument(
    document: DocumentType,
    input: RandomAccess,
    path: EmbeddedPath,
  ): Promise<ExtractionResult> {
    const { budget, options, sink } = this;
    const extractItems = this.extractItems.bind(this);
    try {
      const context = { budget, options, sink: sink.budgetChecked(), extractItems };
      return await this.#deps.documents.read({ document, input, path }, context);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      sink.close();
      return partialResult(error.message, document);
    }
  }

  /** A document that can't be spooled completely is not read, because a truncated document is invalid. */
  async #spoolDocument(input: AsyncGenerator<Uint8Array>): Promise<Spooled | ExtractionResult> {
    try {
      return await spool(input, this.budget.limits.documentBytes, this.#deps.maxInMemoryBytes);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      return skippedResult(error.message);
    }
  }

  async extractItems(
    items: AsyncIterable<DocumentItem>,
    path: EmbeddedPath,
  ): Promise<ExtractionResultBuilder> {
    const builder = new ExtractionResultBuilder();
    const texts = new TextParts(this.sink, path);
    try {
      for await (const item of items) {
        if (item.is === 'text') {
          texts.take(item);
          builder.addText();
        } else {
          texts.end();
          builder.addEmbedded(await this.#extractEntry(item, path));
        }
        await this.#afterItem();
      }
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      builder.addError(error);
    } finally {
      texts.end();
      this.budget.addCpuTime(); // also for a document without output
    }
    return builder;
  }

  /** An error in one member does not affect the next. If a limit of the object is reached, the next one will report it. */
  async #extractEntry({ name, bytes }: EmbeddedEntry, path: EmbeddedPath): Promise<ExtractionResult> {
    try {
      this.budget.check();
      return await this.extract(name, bytes, memberPath(path, name));
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      return skippedResult(error.message);
    }
  }
}

type Text = Extract<SniffedType, { is: 'text' }>;

/** An input whose head has been sniffed. */
interface SniffedInput {
  readonly name: string;
  readonly type: SniffedType;
  readonly head: Uint8Array;
  readonly input: AsyncIterator<Uint8Array>;
  readonly access: RandomAccess | null;
}

const tooDeep = skippedResult('limit: depth');

export function unsupported(label: string, within: readonly Compression[]): ExtractionResult {
  return skippedResult(`unsupported format: ${[label, ...within.toReversed()].join(' in ')}`);
}
