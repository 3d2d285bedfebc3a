/**
 * Which changes of rules can't be evaluated from what a scan stored, and for which objects. Everything else
 * is exact: thresholds above the floor, weights, disabled detectors, excluded paths.
 */
import { type RuleSet, thresholdOf } from '../../governance/rule-set.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { inventoryKey } from '../lifecycle/start-scan.ts';
import { meetsThreshold, type OverlapLosers } from '../results/confidence-histogram.ts';
import type { ObjectScore, RecordedObject } from './known-object.ts';
import { customChanges, fewerFields, fieldChanges, widened } from './rule-differences.ts';
import { confidenceFloor, enabledDetectors } from './rules-of-scan.ts';

export interface Reread {
  /**
   * Reasons for which every object would have to be read, those without findings included; empty: only the
   * `objects`.
   */
  readonly everything: readonly string[];
  /** Reasons for which there may be objects that the scan has not listed. */
  readonly unlisted: readonly string[];
  readonly objects: number;
  /** Number of these objects, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /**
   * Objects without findings whose levels are no longer stored: they may have values below the old
   * threshold.
   */
  readonly unknown: number;
  /** The versions differ, so a scan today may differ whatever the rules. */
  readonly otherVersion: boolean;
}

export class RereadRules {
  readonly #scan: ScanRow;
  readonly #old: RuleSet;
  readonly #now: RuleSet;
  readonly #off: ReadonlySet<string>; // disabled by the new rules
  readonly #on: ReadonlySet<string>;
  readonly #everything: readonly string[];
  readonly #narrowed: readonly string[]; // columns and tables excluded by the new rules
  readonly #reasons = new Map<string, number>();
  #objects = 0;

  constructor(scan: ScanRow, now: RuleSet) {
    this.#scan = scan;
    this.#old = scan.ruleSet;
    this.#now = now;
    const before = enabledDetectors(this.#old);
    this.#on = enabledDetectors(now);
    this.#off = without(before, this.#on);
    this.#everything = [
      ...switchedOn(before, this.#on),
      ...customChanges(this.#old, now),
      ...belowFloor(this.#old, now, this.#on),
      ...fieldChanges(this.#old, now),
    ];
    this.#narrowed = fewerFields(this.#old, now);
  }

  /** Whether values below the old thresholds matter, also in objects without findings. */
  get needsCleanObjects(): boolean {
    return [...this.#on].some((id) => this.#isLowered(id));
  }

  /** Reasons to read this object again. `after`: its new score, as far as known. */
  reasonsFor(object: RecordedObject, after: ObjectScore | null): string[] {
    const reasons = [
      ...(object.confidenceHistogram === null ? [NO_HISTOGRAM] : []),
      ...this.#overlapped(object),
      ...(after === null ? [] : this.#narrowed), // without findings, exclusions change nothing
    ];
    if (reasons.length > 0) this.#objects++;
    for (const reason of reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    return reasons;
  }

  result(unknown: number): Reread {
    return {
      everything: this.#everything,
      unlisted: widened(this.#old, this.#now, this.#scan.scope),
      objects: this.#objects,
      reasons: Object.fromEntries(this.#reasons),
      unknown,
      otherVersion: inventoryKey(this.#old, this.#scan.maxFindingsPerType) !== this.#scan.inventoryKey,
    };
  }

  /** Where matches overlapped, another one may win now. */
  #overlapped({ overlapCounts }: RecordedObject): string[] {
    const winners = Object.keys(overlapCounts).filter((winner) =>
      Object.entries(overlapCounts[winner]!).some(([level, losers]) =>
        this.#mayChangeWinner(winner, Number(level), losers),
      ),
    );
    return winners.map((winner) =>
      this.#off.has(winner)
        ? `${winner} is disabled now, and other detectors matched the same bytes`
        : `other detectors matched the bytes of ${winner}, with other thresholds`,
    );
  }

  /**
   * Reported values win overlaps against unreported ones, and ties have a fixed order. So the result
   * changes where the winner is no longer reported and a loser is, or where a loser is newly reported,
   * unless the winner is, too.
   */
  #mayChangeWinner(winner: string, level: number, losers: OverlapLosers): boolean {
    const was = meetsThreshold(level, thresholdOf(this.#old, winner));
    const is = this.#reports(winner, level);
    const candidates = Object.entries(losers).flatMap(([id, levels]) =>
      levels.map((level) => ({ id, level })),
    );
    const reported = candidates.filter((loser) => this.#reports(loser.id, loser.level));
    if (was && !is) return reported.length > 0;
    if (!was && is) return false;
    return reported.some((loser) => !meetsThreshold(loser.level, thresholdOf(this.#old, loser.id)));
  }

  #reports(id: string, level: number): boolean {
    return this.#on.has(id) && meetsThreshold(level, thresholdOf(this.#now, id));
  }

  #isLowered(id: string): boolean {
    return thresholdOf(this.#now, id) < thresholdOf(this.#old, id);
  }
}

const NO_HISTOGRAM = 'scanned by a version that stored no confidence histogram';

function switchedOn(before: ReadonlySet<string>, now: ReadonlySet<string>): string[] {
  return [...without(now, before)].sort().map((id) => `${id} is enabled now and was not`);
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...some].filter((id) => !others.has(id)));
}

function belowFloor(old: RuleSet, now: RuleSet, on: ReadonlySet<string>): string[] {
  const floor = confidenceFloor(old);
  const below = [...on].filter((id) => thresholdOf(now, id) < floor).sort();
  if (below.length === 0) return [];
  const names =
    below.length > 3 ? `${below.slice(0, 3).join(', ')} and ${below.length - 3} more` : below.join(', ');
  return [`values below confidence ${floor} were not counted (${names})`];
}
