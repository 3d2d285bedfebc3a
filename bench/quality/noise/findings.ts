/** Scans the copied trees as users do, and reads the value and the context of every finding from its file. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench } from '../../benchmark.ts';
import { Seine } from '../../seine.ts';
import type { TreeKind } from './trees.ts';

export interface NoiseFinding {
  readonly fingerprint: string;
  readonly kind: TreeKind;
  /** Below the folder of the copies. */
  readonly path: string;
  readonly line: number;
  readonly detector: string;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
}

export interface NoiseScan {
  readonly folder: string;
  readonly findings: readonly NoiseFinding[];
  /** Of the files that have findings. */
  readonly tiers: ReadonlyMap<string, string>;
  /** Findings of files whose name is masked in reports. */
  readonly inMaskedNames: number;
}

export interface ReportedFinding {
  readonly key: string;
  readonly detector: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly confidence: number;
  readonly tier: string;
}

const MASK = '•';
const ALL_FINDINGS = '1000000';
/** Scanned completely, or some objects were skipped: both leave findings to count. */
const COMPLETE_OR_PARTIAL = [0, 1];
const VERSION = /\d+(?:\.\d+)+/g;
const NUMBER_SEGMENT = /(?<=\/)\d+(?=\/)/g;

export async function scanCopies(bench: Bench, folder: string): Promise<NoiseScan> {
  return joinFiles(folder, await findingsOf(bench, folder, 'noise'));
}

/** Reports mask what looks sensitive in the names of files, too: findings of such files are only counted. */
export function joinFiles(folder: string, reported: readonly ReportedFinding[]): NoiseScan {
  const [masked, readable] = split(reported, ({ key }) => key.includes(MASK));
  const tiers = new Map(reported.map(({ key, tier }) => [key, tier]));
  const byFile = Map.groupBy(readable, ({ key }) => key);
  const findings = [...byFile].flatMap(([key, ofFile]) => fingerprinted(folder, key, ofFile));
  return { folder, findings, tiers, inMaskedNames: masked.length };
}

function split<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** All findings of a folder, as the product reports them. */
export async function findingsOf(bench: Bench, folder: string, name: string): Promise<ReportedFinding[]> {
  const output = join(bench.folder, `${name}.jsonl`);
  const seine = new Seine(bench, name);
  const words = ['scan', folder, '--quiet', '--no-ignore-files'];
  const { code, stderr } = await seine.start([...words, '--max-findings', ALL_FINDINGS, '--output', output])
    .ended;
  if (code === null || !COMPLETE_OR_PARTIAL.includes(code) || !existsSync(output))
    throw new Error(`The scan ended with ${code}:\n${stderr.slice(-2000)}`);
  return readFindings(output);
}

export async function readFindings(output: string): Promise<ReportedFinding[]> {
  const findings: ReportedFinding[] = [];
  for await (const line of createInterface({ input: createReadStream(output) }))
    findings.push(pick(JSON.parse(line)));
  return findings;
}

function pick({ key, detector, start, end, line, confidence, tier }: ReportedFinding): ReportedFinding {
  return { key, detector, start, end, line, confidence, tier };
}

/**
 * The fingerprint is the same on another machine and with another version of the software: it does not depend on
 * versions in paths or on positions. Equal values of one detector in one file are told apart by their order.
 */
function fingerprinted(folder: string, path: string, reported: readonly ReportedFinding[]): NoiseFinding[] {
  const bytes = readFileSync(join(folder, path));
  const kind = path.slice(0, path.indexOf('/')) as TreeKind;
  const stablePath = path.replace(VERSION, '').replace(NUMBER_SEGMENT, '');
  const occurrences = new Map<string, number>();
  return [...reported]
    .sort((a, b) => a.start - b.start)
    .map(({ detector, start, end, line, confidence }) => {
      const value = bytes.toString('latin1', start, end);
      const same = `${detector}\0${value}`;
      const occurrence = (occurrences.get(same) ?? 0) + 1;
      occurrences.set(same, occurrence);
      const fingerprint = hashOf([kind, stablePath, detector, value, String(occurrence)]);
      return { fingerprint, kind, path, line, detector, confidence, start, end };
    });
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}

export interface Context {
  readonly before: string;
  readonly value: string;
  readonly after: string;
}

export function contextOf({ folder }: NoiseScan, finding: NoiseFinding, bytesAround: number): Context {
  const bytes = readFileSync(join(folder, finding.path));
  const { start, end } = finding;
  return {
    before: bytes.toString('utf8', Math.max(0, start - bytesAround), start),
    value: bytes.toString('utf8', start, end),
    after: bytes.toString('utf8', end, end + bytesAround),
  };
}
