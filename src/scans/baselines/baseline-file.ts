/**
 * A baseline as a file, for pipelines without a shared database: JSON lines, the first for the baseline,
 * then one for each object. Values are stored as keyed hashes only; the key's check value detects a file
 * made with another key, whose hashes could never match.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { messageOf, SeineError } from '../../base/errors.ts';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import { keyJson } from '../results/finding-json.ts';
import { checkKeyOfFile } from '../results/fingerprint-key.ts';
import type { Baseline, BaselineObject } from './baseline-store.ts';

const KIND = 'seine baseline';
const VERSION = 1;

export interface BaselineHeader {
  readonly name: string;
  readonly source: string;
}

export async function* baselineLines(
  baseline: Baseline,
  objects: AsyncIterable<BaselineObject>,
  keyCheck: string,
): AsyncGenerator<string> {
  const { name, source, scan, createdAt } = baseline;
  yield `${JSON.stringify({ kind: KIND, schemaVersion: VERSION, keyCheck, name, source, scan, createdAt })}\n`;
  for await (const { key, counts, findings } of objects) {
    const values = findings.map(({ detector, fingerprint, count }) => [detector, fingerprint, count]);
    yield `${JSON.stringify({ ...keyJson(key), counts, findings: values })}\n`;
  }
}

/** Reads only the header, so that errors are reported before a scan starts. */
export async function readBaselineHeader(file: string, keyCheck: string): Promise<BaselineHeader> {
  for await (const line of linesOf(file)) return parseHeader(line, file, keyCheck);
  throw wrong(file, 'it is empty');
}

/** Reads its objects, numbered from 1. */
export async function* readBaselineFile(file: string, keyCheck: string): AsyncGenerator<BaselineObject> {
  let number = 0;
  for await (const line of linesOf(file)) {
    if (number === 0) parseHeader(line, file, keyCheck);
    else if (line.trim() !== '') yield parseObject(line, file, number);
    number++;
  }
  if (number === 0) throw wrong(file, 'it is empty');
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof SeineError) throw error;
    throw wrong(file, messageOf(error), error);
  } finally {
    stream.destroy();
  }
}

function parseHeader(line: string, file: string, keyCheck: string): BaselineHeader {
  const head = parse(line, file, 1);
  if (head.kind !== KIND || head.schemaVersion !== VERSION)
    throw wrong(file, `it does not begin as a "${KIND}" of version ${VERSION}`);
  checkKeyOfFile(file, head.keyCheck, keyCheck);
  return { name: String(head.name), source: String(head.source) };
}

function parseObject(line: string, file: string, id: number): BaselineObject {
  const { key, keyHex, counts, findings } = parse(line, file, id + 1);
  if (typeof key !== 'string' || !isCounts(counts) || !Array.isArray(findings) || !findings.every(isFinding))
    throw wrong(file, `line ${id + 1} is no object of a baseline`);
  return {
    id,
    key: typeof keyHex === 'string' ? keyFromBytes(Buffer.from(keyHex, 'hex')) : keyOf(key),
    counts,
    findings: findings.map(([detector, fingerprint, count]) => ({ detector, fingerprint, count })),
  };
}

function parse(line: string, file: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw wrong(file, `line ${number} is not JSON`);
}

function isCounts(value: unknown): value is Record<string, number> {
  return typeof value === 'object' && value !== null && Object.values(value).every(isCount);
}

function isFinding(value: unknown): value is [string, string, number] {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    /^[0-9a-f]{32}$/.test(String(value[1])) &&
    isCount(value[2])
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function wrong(file: string, why: string, cause?: unknown): SeineError {
  return new SeineError('usage', `The baseline ${file} can't be read: ${why}.`, {
    hint: 'seine baseline export NAME --output FILE writes one.',
    cause,
  });
}
