import type { SourceObject } from '../../sources/source.ts';
import type { ConfidenceHistogram, Overlaps } from '../results/confidence-histogram.ts';
import type { Inspection } from '../results/inspection.ts';

/** The score of an object under a set of rules. */
export type ObjectScore = Pick<Inspection, 'counts' | 'score' | 'tier' | 'policies'>;

/** What a scan stored about an object with values, including those below the threshold. */
export interface RecordedObject extends SourceObject {
  /** Null: from a scan by a version that did not store levels. */
  readonly confidenceHistogram: ConfidenceHistogram | null;
  readonly overlapCounts: Overlaps;
  /** The result of the scan; null: no finding. */
  readonly recorded: ObjectScore | null;
}
