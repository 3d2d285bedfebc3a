/**
 * Which parts a runner may hold, and how many, when runners have several versions of a workflow's code.
 *
 * A part that was found to need a version is for runners that have it; if none of those that could take it has, for those with the highest
 * version there is. So old code hands such parts over and does not take them again while newer code is alive, and without newer code it
 * goes on with the workflows of these parts that it can handle.
 *
 * Shares are counted for each version: the parts that need version 2 are shared among the runners that have it. So no part is left without
 * a runner, even if every part needs version 2 and one of ten runners has it. Without such parts the shares are equal.
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
  /** The parts this runner should hold, at most. */
  readonly share: number;
  /** So many of them may be parts that need a newer version than the first, whatever else it holds. */
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

  /** Whether parts differ in who may hold them. */
  get isMixed(): boolean {
    return [...this.#needs.keys()].some((part) => this.versionFor(part) > 1);
  }

  mayHold(part: number): boolean {
    return this.#version >= this.versionFor(part);
  }

  /** The version that the holder of a part must have now. */
  versionFor(part: number): number {
    const needs = this.#needs.get(part) ?? 1;
    const able = this.#runners.filter(({ partition }) => partition === null || partition === part);
    return Math.min(needs, Math.max(1, ...able.map(({ version }) => version)));
  }

  /** Those that need the highest version come first: there are the fewest runners for them. */
  inOrder<T extends { readonly part: number }>(parts: readonly T[]): T[] {
    return parts.toSorted((a, b) => this.versionFor(b.part) - this.versionFor(a.part));
  }

  #shareOf(level: number): number {
    const parts = [...this.#needs.keys()].filter((part) => this.versionFor(part) >= level);
    const able = this.#runners.filter(({ version }) => version >= level);
    return Math.ceil(parts.length / Math.max(1, able.length));
  }
}
