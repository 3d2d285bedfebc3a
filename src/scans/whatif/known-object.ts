import type { SourceObject } from '../../sources/source.ts';
import type { ConfidenceHistogram, Overlaps } from '../results/confidence-histogram.ts';
import type { Inspection } from '../results/inspection.ts';

/** What an object is under a set of rules. */
export type ObjectScore = Pick<Inspection, 'counts' | 'score' | 'tier' | 'policies'>;

/** What a scan wrote down about an object with a value in it, also below the threshold. */
export interface RecordedObject extends SourceObject {
  /** Null: of a scan before levels were kept. */
  readonly levels: ConfidenceHistogram | null;
  readonly contests: Overlaps;
  /** What the scan said; null: no finding. */
  readonly recorded: ObjectScore | null;
}
