import type { Reading, TextSink } from './extraction.ts';
import { takeMail } from './formats/mail.ts';
import { takeText } from './formats/text.ts';
import { innerName, Unpacking, unpackWhole } from './formats/unpacking.ts';
import { readHead, resumed } from './head.ts';
import { type Kind, kindOf } from './kind.ts';
import { DEFAULT_LIMITS, type ExtractionLimits, SYNC_DECOMPRESSED_BYTES } from './limits.ts';
import type { Packing } from './magic.ts';
import { HEAD_BYTES, type Intake, skipped } from './reading.ts';

/**
 * An object that is wholly in memory. Plain text goes on as it is: no copy, one call of `sink.text`. null: can't be
 * done synchronously (long or damaged compressed data); the sink has heard nothing, and the stream gives the answer.
 */
export function extractBytes(name: string, bytes: Uint8Array, sink: TextSink): Reading | null {
  return extractWhole(name, bytes, sink, []);
}

/** An object of any size in bounded memory. Same bytes, same parts and reading, however they are cut into chunks. */
export async function extractStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: TextSink,
  limits: ExtractionLimits = DEFAULT_LIMITS,
): Promise<Reading> {
  return extractChunks(name, chunks, sink, limits, []);
}

function extractWhole(
  name: string,
  bytes: Uint8Array,
  sink: TextSink,
  within: readonly Packing[],
): Reading | null {
  const kind = kindOf(
    name,
    bytes.length > HEAD_BYTES ? bytes.subarray(0, HEAD_BYTES) : bytes,
    bytes.length <= HEAD_BYTES,
  );
  if (kind.is === 'packed') {
    if (within.length === DEFAULT_LIMITS.packingDepth) return tooDeep;
    const inside = unpackWhole(kind.packing, bytes, SYNC_DECOMPRESSED_BYTES);
    return inside && extractWhole(innerName(name), inside, sink, [...within, kind.packing]);
  }
  if (kind.is === 'binary') return unsupported(kind.label, within);
  const intake = open(kind, sink, DEFAULT_LIMITS, within);
  if (bytes.length > 0) intake.push(bytes);
  return intake.end();
}

async function extractChunks(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: TextSink,
  limits: ExtractionLimits,
  within: readonly Packing[],
): Promise<Reading> {
  const input = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(input);
    const kind = kindOf(name, head.subarray(0, HEAD_BYTES), head.length <= HEAD_BYTES);
    if (kind.is === 'binary') return unsupported(kind.label, within);
    if (kind.is === 'packed') {
      if (within.length === limits.packingDepth) return tooDeep;
      const inside = new Unpacking(kind.packing, resumed(head, input), limits);
      return inside.verdict(
        await extractChunks(innerName(name), inside, sink, limits, [...within, kind.packing]),
      );
    }
    const intake = open(kind, sink, limits, within);
    if (head.length > 0) intake.push(head);
    for (let next = await input.next(); next.done !== true; next = await input.next())
      intake.push(next.value);
    return intake.end();
  } finally {
    await input.return?.();
  }
}

type Text = Extract<Kind, { is: 'text' }>;

function open(
  { format, encoding }: Text,
  sink: TextSink,
  limits: ExtractionLimits,
  within: readonly Packing[],
): Intake {
  const part = within.length === 0 ? null : within.join('/');
  if (format === 'eml' && encoding.width === 1) return takeMail({ part, start: 0, sink }, limits);
  return takeText(format, encoding, { part, start: 0, sink });
}

const tooDeep = skipped('limit: nested compression');

function unsupported(label: string, within: readonly Packing[]): Reading {
  return skipped(`unsupported format: ${[label, ...within.toReversed()].join(' in ')}`);
}
