import type { SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../inspection.ts';
import type { Contests, Levels } from '../levels.ts';

/** What an object is under a set of rules. */
export type Judgement = Pick<Inspection, 'counts' | 'score' | 'tier' | 'policies'>;

/** What a scan wrote down about an object with a value in it, also below the threshold. */
export interface KnownObject extends SourceObject {
  /** Null: of a scan before levels were kept. */
  readonly levels: Levels | null;
  readonly contests: Contests;
  /** What the scan said; null: no finding. */
  readonly told: Judgement | null;
}
