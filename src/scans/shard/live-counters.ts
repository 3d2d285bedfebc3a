import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import { type ObjectEnd, wasInspected } from '../checkpoint/checkpoint-batch.ts';
import type { LedgerLine } from '../results/report.ts';
import { isChunk } from '../segments/segment.ts';

/** What has been done so far, as this process knows it, for its progress display; the truth is in the database. */
export class LiveCounters {
  objects = 0;
  findings = 0;
  bytes = 0;
  unchangedBytes = 0;
  /** Checkpoints that were refused because the lease was lost. */
  refused = 0;
  /** Files and folders that ignore files have left out, of the sources that were closed. */
  ignored = 0;

  constructor(before: readonly LedgerLine[] = []) {
    for (const line of before) {
      this.objects += line.objects;
      if (line.outcome === 'unchanged') this.unchangedBytes += line.bytes;
      else this.bytes += line.bytes;
    }
  }

  recordEnd(item: SourceObject | ObjectError, ending: ObjectEnd): void {
    if (ending === 'by parts') return; // its last part will count it
    if (isObjectError(item) || !isChunk(item)) this.objects++;
    const size = isObjectError(item) ? 0 : item.size;
    if (!wasInspected(ending)) this.unchangedBytes += size;
    else {
      this.bytes += size;
      for (const name in ending.counts) this.findings += ending.counts[name]!;
    }
  }
}
