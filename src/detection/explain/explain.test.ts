import { describe, expect, it } from 'vitest';
import { acceptMatch, type Detector, rejectMatch } from '../detector.ts';
import { formattedId } from '../families/ids/formatted-id.ts';
import { REASON } from '../reasons.ts';
import { NO_FIELDS } from '../scan.fixture.ts';
import { type DetectorTrace, explainAt } from './explain.ts';

const DIGITS = String.raw`\d{3}-\d{3}`;
const examples = { match: [], not: [] };

/** Six digits whose sum is even; reported without a label. */
const even = formattedId({
  id: 'EVEN',
  title: 'an even number',
  category: 'financial',
  regulations: [],
  risk: 1,
  context: { words: ['even'], avoid: ['order'] },
  forms: [{ pattern: DIGITS, free: true }],
  check: (plain) => [...plain].reduce((sum, digit) => sum + Number(digit), 0) % 2 === 0,
  examples,
});

/** The same form, recognised by its label only. */
const member = formattedId({
  id: 'MEMBER',
  title: 'a member',
  category: 'contact',
  regulations: [],
  risk: 1,
  context: { words: ['member'] },
  forms: [{ pattern: DIGITS }],
  examples,
});

/** Low base confidence, and longer than the others. */
const guess: Detector = {
  id: 'GUESS',
  title: 'a guess',
  category: 'contact',
  strength: 'heuristic',
  regulations: [],
  risk: 1,
  prefilters: [{ pattern: String.raw`\b\d{3}-\d{3}-\d{3}\b` }],
  confidence: 0.2,
  verify: (bytes, at, match) =>
    bytes[at] === 0x39 ? rejectMatch(match, 'first digit') : acceptMatch(match, at, at + 11, REASON.pattern),
  mask: () => '•',
  examples,
};

const detectors = [even, member, guess];
const thresholds = { minConfidence: Float64Array.from([0.5, 0.5, 0.5]), floor: 0.3 };

function tracesAt(text: string, what: string, offset = 0): Record<string, DetectorTrace> {
  const textWindow = { bytes: Buffer.from(text), offset, context: NO_FIELDS };
  const traces = explainAt(detectors, thresholds, textWindow, offset + text.indexOf(what));
  return Object.fromEntries(traces.map((trace) => [trace.detector.id, trace]));
}

describe('explains at an offset why', () => {
  it('a value is found: its candidate, its parts and the context word', () => {
    const { EVEN } = tracesAt('the even one 123-132', '123-132');
    expect(EVEN).toMatchObject({ outcome: 'found', candidate: { at: 13, text: String.raw`\b\d{3}-\d{3}` } });
    expect(EVEN!.value).toMatchObject({ start: 13, end: 20, base: 0.85, confidence: 0.95, positive: 'even' });
    expect(EVEN!.value!.reasons).toContain('checksum');
  });

  it('nothing is found: the check that failed', () => {
    const { EVEN } = tracesAt('here 123-133', '123-133');
    expect(EVEN).toMatchObject({ outcome: 'refused', rejections: ['check digits'], value: null });
  });

  it('a detector was not run: none of its context words precedes the value', () => {
    const { MEMBER } = tracesAt('here 123-133', '123-133');
    expect(MEMBER).toMatchObject({ outcome: 'needs a label', winner: null });
    expect(tracesAt('member 123-133', '123-133').MEMBER).toMatchObject({ outcome: 'found' });
  });

  it('a value lost an overlap, and to which detector', () => {
    const { EVEN, MEMBER } = tracesAt('member 123-132', '123-132');
    expect(EVEN).toMatchObject({ outcome: 'found' });
    expect(MEMBER).toMatchObject({ outcome: 'lost', winner: { id: 'EVEN' } });
  });

  it('a value is below its threshold or the floor, with the negative context word', () => {
    const { GUESS } = tracesAt('123-133-133', '123');
    expect(GUESS).toMatchObject({ outcome: 'below threshold', value: { confidence: 0.2, threshold: 0.5 } });
    const { EVEN } = tracesAt('order 123-132', '123-132');
    expect(EVEN!.value).toMatchObject({ base: 0.85, confidence: 0.5, negative: 'order' });
  });

  it('there is nothing to explain on a blank', () => {
    expect(tracesAt('nothing at all 123-132', 'at all')).toEqual({});
  });

  it('in offsets of the whole text, wherever the window begins', () => {
    const near = tracesAt('even 123-132', '123-132').EVEN!;
    const far = tracesAt('even 123-132', '123-132', 1_000_000).EVEN!;
    expect(far.candidate.at).toBe(near.candidate.at + 1_000_000);
    expect(far.value).toEqual({ ...near.value, start: near.value!.start + 1e6, end: near.value!.end + 1e6 });
  });

  it('in offsets of the original text, for a value after wide blanks', () => {
    const bytes = Buffer.from('7\u00a08\u00a09\u202f123-457 x');
    const [start, end] = [bytes.indexOf('123'), bytes.indexOf(' x')];
    for (let at = start; at < end; at++) {
      const traces = explainAt(detectors, thresholds, { bytes, offset: 0, context: NO_FIELDS }, at);
      const traced = traces.map(({ detector: { id }, outcome, value }) => ({ id, outcome, value }));
      const value = { start, end, text: Buffer.from('123-457') };
      expect(traced).toMatchObject([
        { id: 'EVEN', outcome: 'found', value },
        { id: 'MEMBER', outcome: 'needs a label', value },
      ]);
    }
  });
});
