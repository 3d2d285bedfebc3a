/**
 * Which partitions a runner may hold, and how many, when runners have several versions of a workflow's code.
 *
 * A partition found to need a version is assigned to runners that have it; if no live runner has, to those with the highest version. So old code
 * releases such partitions and does not claim them while newer code is live, and otherwise continues with the workflows it can process.
 *
 * Shares are computed per version: the partitions that need version 2 are divided among the runners that have it. So every partition has a runner,
 * even if all need version 2 and one of ten runners has it. Without such partitions the shares are equal.
 */
import type { PartitionVersions } from '../versions/deferred-store.ts';

export interface RunnerVersion {
  readonly version: number;
  /** Null: slots. */
  readonly partition: number | null;
}

export class AssignmentPlan {
  readonly #version: number;
  readonly #runners: readonly RunnerVersion[];
  readonly #needs: PartitionVersions;
  /** The maximum number of partitions for this runner. */
  readonly share: number;
  /** The maximum of partitions that need a newer version than the first, regardless of the others it holds. */
  readonly newerShare: number;

  constructor(me: RunnerVersion, others: readonly RunnerVersion[], needs: PartitionVersions, total: number) {
    this.#version = me.version;
    this.#runners = others.length > 0 ? others : [me];
    this.#needs = needs;
    const levels = new Set([...needs.keys()].map((part) => this.versionFor(part)));
    levels.delete(1);
    const shares = [...levels].filter((level) => level <= me.version).map((level) => this.#shareOf(level));
    this.newerShare = Math.max(0, ...shares);
    this.share =
      me.partition === null ? Math.max(this.newerShare, Math.ceil(total / this.#runners.length)) : 1;
  }

  /** Whether partitions differ in who may hold them. */
  get isMixed(): boolean {
    return [...this.#needs.keys()].some((part) => this.versionFor(part) > 1);
  }

  mayHold(part: number): boolean {
    return this.#version >= this.versionFor(part);
  }

  /** The version that the holder of a partition must have now. */
  versionFor(part: number): number {
    const needs = this.#needs.get(part) ?? 1;
    const able = this.#runners.filter(({ partition }) => partition === null || partition === part);
    return Math.min(needs, Math.max(1, ...able.map(({ version }) => version)));
  }

  /** Partitions that need the highest version first: they have the fewest runners. */
  inOrder<T extends { readonly part: number }>(parts: readonly T[]): T[] {
    return parts.toSorted((a, b) => this.versionFor(b.part) - this.versionFor(a.part));
  }

  #shareOf(level: number): number {
    const parts = [...this.#needs.keys()].filter((part) => this.versionFor(part) >= level);
    const able = this.#runners.filter(({ version }) => version >= level);
    return Math.ceil(parts.length / Math.max(1, able.length));
  }
}
