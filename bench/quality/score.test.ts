import { describe, expect, it } from 'vitest';
import { addScores, f1, precision, recall, type Scores, scoreOf, total } from './score.ts';

const span = (type: string, start: number, end: number) => ({ type, start, end });

describe('scores of spans', () => {
  it('count a span from half an overlap on', () => {
    const scores: Scores = new Map();
    addScores(scores, [span('A', 0, 10)], [span('A', 5, 10)]);
    addScores(scores, [span('A', 0, 10)], [span('A', 6, 10)]);
    expect(scoreOf(scores, 'A')).toEqual({ found: 1, missed: 1, invented: 1 });
  });

  it('match each true span once, and only by its type', () => {
    const scores: Scores = new Map();
    addScores(scores, [span('A', 0, 10)], [span('A', 0, 10), span('A', 0, 9), span('B', 0, 10)]);
    expect(scoreOf(scores, 'A')).toEqual({ found: 1, missed: 0, invented: 1 });
    expect(scoreOf(scores, 'B')).toEqual({ found: 0, missed: 0, invented: 1 });
  });

  it('choose the true span that overlaps most', () => {
    const scores: Scores = new Map();
    addScores(scores, [span('A', 0, 8), span('A', 2, 10)], [span('A', 2, 10), span('A', 0, 8)]);
    expect(scoreOf(scores, 'A')).toEqual({ found: 2, missed: 0, invented: 0 });
  });

  it('are summed before they are divided', () => {
    const scores: Scores = new Map([
      ['A', { found: 3, missed: 1, invented: 0 }],
      ['B', { found: 0, missed: 0, invented: 1 }],
    ]);
    const all = total(scores, ['A', 'B', 'C']);
    expect([precision(all), recall(all), f1(all)]).toEqual([0.75, 0.75, 0.75]);
  });
});
