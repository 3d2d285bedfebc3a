import { describe, expect, it } from 'vitest';
import { AssignmentPlan, type RunnerVersion } from './assignment-plan.ts';

const slots = (...versions: number[]): RunnerVersion[] =>
  versions.map((version) => ({ version, partition: null }));
const TOTAL = 256;
const all = Array.from({ length: TOTAL }, (_, part) => part);
const of = (version: number, runners: RunnerVersion[], needs: [number, number][]) =>
  new AssignmentPlan({ version, partition: null }, runners, new Map(needs), TOTAL);

describe('slots among runners of several versions', () => {
  it('are shared equally while none needs newer code', () => {
    for (const version of [1, 2]) {
      const assignment = of(version, slots(1, 1, 2), []);
      expect(assignment.share).toBe(86);
      expect(assignment.isMixed).toBe(false);
      expect(all.every((part) => assignment.mayHold(part))).toBe(true);
    }
  });

  it('that need version 2 are for those that have it', () => {
    const runners = slots(1, 1, 2);
    expect(of(1, runners, [[7, 2]]).mayHold(7)).toBe(false);
    expect(of(1, runners, [[7, 2]]).mayHold(8)).toBe(true);
    expect(of(2, runners, [[7, 2]])).toMatchObject({ share: 86, newerShare: 1 });
  });

  it('that need version 2 are shared among those that have it, however many they are', () => {
    const needs = all.map((part): [number, number] => [part, 2]);
    expect(of(2, slots(1, 1, 1, 2, 3), needs).share).toBe(128);
    expect(of(3, slots(1, 1, 1, 2, 3), needs).share).toBe(128);
  });

  it('whose version no runner has go to the highest version there is', () => {
    expect(of(1, slots(1, 1), [[7, 3]]).mayHold(7)).toBe(true);
    expect(of(1, slots(1, 2), [[7, 3]]).mayHold(7)).toBe(false);
    expect(of(2, slots(1, 2), [[7, 3]]).mayHold(7)).toBe(true);
  });

  it('are for this runner when no runner is registered, not even itself', () => {
    expect(of(1, [], [[7, 2]])).toMatchObject({ share: TOTAL, isMixed: false });
  });

  it('have room with those who may hold them, whatever they need and whichever runners are live', () => {
    for (let seed = 1; seed <= 300; seed++) {
      let x = seed * 7919;
      const next = (max: number) => {
        x = (x * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((x / 2_147_483_648) * max);
      };
      const runners = slots(...Array.from({ length: 1 + next(6) }, () => 1 + next(4)));
      const needs = all.filter(() => next(3) === 0).map((part): [number, number] => [part, 1 + next(5)]);
      const assignments = runners.map(({ version }) => of(version, runners, needs));
      for (const level of [1, 2, 3, 4]) {
        const parts = all.filter((part) => assignments[0]!.versionFor(part) >= level);
        const able = assignments.filter((_, n) => runners[n]!.version >= level);
        const room = able.reduce((sum, { share }) => sum + share, 0);
        expect(room, `seed ${seed}, level ${level}`).toBeGreaterThanOrEqual(
          able.length > 0 ? parts.length : 0,
        );
        for (const part of parts) expect(assignments.some((one) => one.mayHold(part))).toBe(true);
      }
    }
  });
});

describe('a fixed partition', () => {
  const runners = [
    { version: 1, partition: 0 },
    { version: 1, partition: 1 },
    { version: 2, partition: 0 },
  ];
  const mayHold = (version: number, partition: number) =>
    new AssignmentPlan(
      { version, partition },
      runners,
      new Map([
        [0, 2],
        [1, 2],
      ]),
      2,
    ).mayHold(partition);

  it('goes to newer code of the same partition only', () => {
    expect(mayHold(1, 0)).toBe(false);
    expect(mayHold(2, 0)).toBe(true);
    expect(mayHold(1, 1)).toBe(true);
  });
});
