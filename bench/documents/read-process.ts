/**
 * `node read-process.ts extract|inspect FOLDER [ocr]`: all files of the folder, one after another, as a detection thread reads
 * them: documents in the process beside it. `inspect` also runs the detectors. The result is printed as JSON.
 */
import { FULL_RANGE } from '../../src/base/range.ts';
import type { RandomAccess } from '../../src/extraction/document-item.ts';
import {
  type ExtractionOptions,
  extractBytes,
  extractBytesAsync,
  extractStream,
} from '../../src/extraction/extract.ts';
import type { TextSink } from '../../src/extraction/extraction.ts';
import { concatBounded } from '../../src/extraction/input/random-access.ts';
import { DEFAULT_RULES } from '../../src/governance/rule-set.ts';
import { extractionOptionsFor } from '../../src/scans/detect/extraction-options.ts';
import { Inspector } from '../../src/scans/detect/inspector.ts';
import { createFsSource, type FsSource } from '../../src/sources/fs/fs-source.ts';
import { isObjectError, type SourceObject } from '../../src/sources/source.ts';
import { familyCpu } from '../command.ts';

/** What became of one file: `read` if all of it was. */
type Read = (object: SourceObject) => Promise<string>;

/** As in the inspector. */
const SMALL = 1 << 20;
const BY_RANGES = 32 << 20;
const KEEP_EACH = 100;

const never = new AbortController().signal;
let textBytes = 0;
let findings = 0;
const counting: TextSink = {
  begin() {},
  text(bytes) {
    textBytes += bytes.length;
  },
  end() {},
};

const [mode, folder, ocr] = process.argv.slice(2);
const source = createFsSource(folder!);
const rules = { ...DEFAULT_RULES, reading: { ...DEFAULT_RULES.reading, ocr: ocr === 'ocr' } };
const read = mode === 'inspect' ? inspecting(source) : extracting(source, extractionOptionsFor(rules));
const objects = await listed(source);
// The first one starts the process and loads what it needs; it is reported separately, and read again with the others.
const first = await timed(() => read(objects[0]!));
textBytes = 0;
findings = 0;
const cpuBefore = familyCpu(process.pid);
const states = new Map<string, number>();
const seconds = await timed(async () => {
  for (const object of objects) {
    const state = await read(object);
    states.set(state, (states.get(state) ?? 0) + 1);
  }
});
const cpuSeconds = familyCpu(process.pid) - cpuBefore;
process.stdout.write(
  JSON.stringify({ seconds, cpuSeconds, first, textBytes, findings, states: Object.fromEntries(states) }),
);
process.exit();

async function listed(from: FsSource): Promise<SourceObject[]> {
  const found: SourceObject[] = [];
  for await (const batch of from.list(FULL_RANGE, never))
    for (const item of batch) if (!isObjectError(item)) found.push(item);
  return found;
}

function inspecting(from: FsSource): Read {
  const inspector = new Inspector(from, {
    rules,
    secret: Buffer.alloc(32, 1),
    maxFindingsPerType: KEEP_EACH,
  });
  return async (object) => {
    const { outcome, reason, counts } =
      inspector.inspectSync(object) ?? (await inspector.inspect(object, never, () => {}));
    findings += Object.values(counts).reduce((sum, count) => sum + count, 0);
    return outcome === 'scanned' ? 'read' : `${outcome}: ${reason}`;
  };
}

function extracting(from: FsSource, options: ExtractionOptions): Read {
  const buffer = new Uint8Array(SMALL + 1);
  return async (object) => {
    const result = await extract(from, object, buffer, options);
    return result.state === 'read' ? 'read' : `${result.state}: ${result.reason}`;
  };
}

async function extract(from: FsSource, object: SourceObject, buffer: Uint8Array, options: ExtractionOptions) {
  const length = object.size > SMALL ? -1 : from.readWhole(object, buffer);
  if (length < 0) {
    const access = object.size < BY_RANGES ? null : accessTo(from, object);
    return extractStream(object.key, from.read(object, null, never), counting, options, access);
  }
  const bytes = buffer.subarray(0, length);
  const before = textBytes;
  const result = extractBytes(object.key, bytes, counting);
  if (result !== null) return result;
  textBytes = before; // the text before the failure is emitted again
  return extractBytesAsync(object.key, bytes, counting, options);
}

function accessTo(from: FsSource, object: SourceObject): RandomAccess {
  return {
    size: object.size,
    read: (start, to) => concatBounded(from.read(object, { from: start, to }, never), to - start),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
