import { describe, expect, it } from 'vitest';
import { Scatter } from './scatter.ts';

const all = (scatter: Scatter, count: number) => Array.from({ length: count }, (_, i) => scatter.at(i));

describe('scattered numbers', () => {
  it('are increasing, and below 2^48', () => {
    const numbers = all(new Scatter(5, 50_000), 50_000);
    for (const [i, number] of numbers.slice(1).entries()) expect(number).toBeGreaterThan(numbers[i]!);
    expect(numbers[0]).toBeGreaterThanOrEqual(0);
    expect(numbers.at(-1)).toBeLessThan(2 ** 48);
  });

  it('do not depend on the order of access', () => {
    const inOrder = all(new Scatter(9, 1000), 1000);
    const scatter = new Scatter(9, 1000);
    for (let i = 0; i < 1000; i++) expect(scatter.at((i * 617) % 1000)).toBe(inOrder[(i * 617) % 1000]);
  });

  it('have the variance of random numbers: a thousandth of the space contains a varying count', () => {
    const count = 100_000;
    const cells = new Array<number>(1000).fill(0);
    for (const number of all(new Scatter(2, count), count)) cells[Math.floor((number / 2 ** 48) * 1000)]!++;
    const variance = cells.reduce((sum, cell) => sum + (cell - 100) ** 2, 0) / cells.length;
    // For independent draws the variance equals the mean; for evenly spread numbers it would be far below.
    expect(variance).toBeGreaterThan(80);
    expect(variance).toBeLessThan(120);
  });

  it('of ten billion cost no more than of ten', () => {
    const scatter = new Scatter(1, 10_000_000_000);
    expect(scatter.at(9_999_999_999)).toBeGreaterThan(scatter.at(1_234_567_890));
  });
});
