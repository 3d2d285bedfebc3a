import { isObjectError, type ObjectError, type SourceObject } from '../sources/source.ts';
import type { Ending } from './tally.ts';

/** What this process has done so far, for its progress display; the truth is in the database. */
export class LiveCounters {
  objects = 0;
  findings = 0;
  bytes = 0;
  unchangedBytes = 0;
  /** Set while the database doesn't answer. */
  waitingForDatabase = false;

  ended(item: SourceObject | ObjectError, ending: Ending): void {
    this.waitingForDatabase = false;
    this.objects++;
    const size = isObjectError(item) ? 0 : item.size;
    if (typeof ending === 'string') this.unchangedBytes += size;
    else {
      this.bytes += size;
      for (const name in ending.counts) this.findings += ending.counts[name]!;
    }
  }

  databaseAway(): void {
    this.waitingForDatabase = true;
  }
}
