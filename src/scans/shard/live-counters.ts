import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import { type ObjectEnd, wasInspected } from '../checkpoint/checkpoint-batch.ts';
import type { LedgerLine } from '../results/report.ts';
import { isChunk } from '../segments/segment.ts';

/** Counters of this process for its progress display; the database is authoritative. */
export class LiveCounters {
  objects = 0;
  findings = 0;
  bytes = 0;
  unchangedBytes = 0;
  /** Checkpoints that were fenced because the lease was lost. */
  refused = 0;
  /** Files and folders excluded by ignore files, of sources that were closed. */
  ignored = 0;

  constructor(before: readonly LedgerLine[] = []) {
    for (const line of before) {
      this.objects += line.objects;
      if (line.outcome === 'unchanged') this.unchangedBytes += line.bytes;
      else this.bytes += line.bytes;
    }
  }

  recordEnd(item: SourceObject | ObjectError, ending: ObjectEnd): void {
    if (ending === 'by parts') return; // counted by its last segment
    if (isObjectError(item) || !isChunk(item)) this.objects++;
    const size = isObjectError(item) ? 0 : item.size;
    if (!wasInspected(ending)) this.unchangedBytes += size;
    else {
      this.bytes += size;
      for (const name in ending.counts) this.findings += ending.counts[name]!;
    }
  }
}
