/** Inspects the objects of a bucket, in place of the detection threads of one process. */
import type { InspectionQueue } from '../../src/scans/detect/scan-queue.ts';
import { clean, type FoundValue, type Inspection, notRead } from '../../src/scans/results/inspection.ts';
import { isChunk } from '../../src/scans/segments/segment.ts';
import { type ChunkInspection, emptyBoundary } from '../../src/scans/segments/segment-result.ts';
import type { ByteRange, SourceObject } from '../../src/sources/source.ts';
import { type Bucket, findingsOf, type Nature } from './bucket.ts';
import type { Choices } from './random.ts';

/** Inspects objects at any time, in any order. */
export class Inspectors implements InspectionQueue {
  readonly full = false;
  fault: Error | null = null;
  readonly #bucket: Bucket;
  readonly #choices: Choices;
  readonly #die: () => Error;
  #under: { readonly object: SourceObject; readonly done: (inspection: Inspection) => void }[] = [];

  constructor(bucket: Bucket, choices: Choices, die: () => Error) {
    this.#bucket = bucket;
    this.#choices = choices;
    this.#die = die;
  }

  submit(object: SourceObject, done: (inspection: Inspection) => void): void {
    this.#under.push({ object, done });
    if (this.#choices.chance(0.2)) this.endOne();
  }

  /** A caller waits for an object to end. */
  flush(): void {
    queueMicrotask(() => this.endOne());
  }

  endOne(): void {
    if (this.fault !== null || this.#under.length === 0) return;
    const [task] = this.#under.splice(this.#choices.below(this.#under.length), 1);
    const { object, done } = task!;
    const nature = this.#bucket.natures.get(isChunk(object) ? object.object.key : object.key)!;
    if (nature === 'poison') this.fault = this.#die();
    else done(isChunk(object) ? stepInspection(object.step) : inspection(nature));
  }

  /** While a statement is under way. */
  endSome(): void {
    while (this.#under.length > 0 && this.#choices.chance(0.3)) this.endOne();
  }

  async waitForRoom(): Promise<void> {}
  async ready(): Promise<void> {}
  addUnwritten(): void {}
  markWritten(): void {}
  forceDispatch(): void {}
}

function inspection(nature: Nature): Inspection {
  if (nature === 'sick') return notRead('dead', 'it cannot be read', false);
  const count = findingsOf(nature);
  if (count === 0) return clean(7);
  const found = { score: 60, points: 60, tier: 'HIGH', counts: { EMAIL: count } } as const;
  return { ...clean(7), ...found, findings: Array(count).fill(FOUND) };
}

function stepInspection(step: ByteRange): ChunkInspection {
  const types = [{ detector: 'EMAIL', count: 1, confidence: 0.9 }];
  const findings = [{ ...FOUND, line: 0, start: step.from, end: step.from + 7 }];
  return {
    ...clean(step.to - step.from),
    counts: { EMAIL: 1 },
    findings,
    joint: { ...emptyBoundary(step), types },
  };
}

const FOUND: FoundValue = {
  part: null,
  detector: 'EMAIL',
  category: 'contact',
  field: null,
  start: 0,
  end: 7,
  line: 1,
  column: 1,
  confidence: 0.9,
  masked: 'c*****t',
  fingerprint: 'f',
  reasons: ['it is said so'],
};
