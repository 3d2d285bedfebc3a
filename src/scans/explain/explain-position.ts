/**
 * Explains why a value is, or is not, found at a position of an object: reads the object as a scan does, as
 * far as needed.
 */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import {
  type DetectorTrace,
  explainAt,
  type TracedMatch,
  type TraceOutcome,
} from '../../detection/explain/explain.ts';
import { maskValue } from '../../detection/masking.ts';
import { extractStream } from '../../extraction/extract.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { ensureOcr, extractionOptionsFor } from '../detect/extraction-options.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { type PositionContext, PositionContextSink } from './position-context.ts';
import { formatPosition, type SourcePosition } from './source-position.ts';

/** Offsets are those of the object, or of the part's text where it was unpacked. All values are masked. */
export interface PositionExplanation {
  readonly part: string | null;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The word at the position, with 9 for digits and a or A for letters. */
  readonly shape: string;
  readonly opinions: readonly MaskedTrace[];
  /** Number of enabled detectors without a candidate here. */
  readonly silent: number;
}

export interface MaskedTrace {
  readonly detector: string;
  readonly title: string;
  readonly verdict: TraceOutcome;
  readonly anchor: { readonly offset: number; readonly text: string };
  readonly value: MaskedMatch | null;
  readonly refusals: readonly string[];
  readonly to: string | null;
  /** Context words that would label such a value. */
  readonly words: readonly string[];
}

export interface MaskedMatch extends Omit<TracedMatch, 'text' | 'positive' | 'negative'> {
  readonly masked: string;
  readonly supports: string | null;
  readonly denies: string | null;
}

export interface PositionQuery {
  readonly source: Source;
  readonly object: SourceObject;
  readonly rules: RuleSet;
  readonly place: SourcePosition;
  /** Undefined: the first part that contains the position. */
  readonly part?: string | null;
  /** How names are displayed. */
  readonly names?: Names;
}

export async function explainPosition(
  query: PositionQuery,
  signal: AbortSignal,
): Promise<PositionExplanation> {
  const { rules, names = PLAIN_NAMES } = query;
  const context = await readPositionContext(query, signal);
  const detectors = detectorsOf(rules, catalogue);
  const { part, bytes, offset, at, line, column } = context;
  const opinions = explainAt(detectors, thresholdsOf(rules, detectors), { bytes, offset, context: part }, at);
  return {
    part: part.name === null ? null : names.name(part.name),
    offset: part.sourceOffset(at),
    line,
    column,
    shape: shapeAt(bytes, at - offset),
    opinions: opinions.map((opinion) => maskTrace(opinion, context)),
    silent: detectors.length - opinions.length,
  };
}

async function readPositionContext(query: PositionQuery, signal: AbortSignal): Promise<PositionContext> {
  const { source, object, place, part, rules, names = PLAIN_NAMES } = query;
  const sink = new PositionContextSink(place, part, names);
  const enough = async function* () {
    for await (const chunk of source.read(object, null, signal)) {
      yield chunk;
      if (sink.complete) return;
    }
  };
  await ensureOcr(rules);
  const reading = await extractStream(object.key, enough(), sink, extractionOptionsFor(rules));
  if (sink.found) return sink.found;
  const name = displayKey(names.seal(object.key));
  if (reading.state === 'skipped')
    throw new SeineError('usage', `${name} holds no text that Seine can read: ${reading.reason}.`);
  throw new SeineError(
    'usage',
    `${name} has no ${formatPosition(place)}${part == null ? '' : ` in ${part}`}.`,
    {
      hint: 'Bytes count from 0, lines and columns from 1; in a part that was unpacked they count in its text.',
    },
  );
}

function maskTrace(
  { detector, outcome, candidate, value, rejections, winner }: DetectorTrace,
  { part }: PositionContext,
): MaskedTrace {
  return {
    detector: detector.id,
    title: detector.title,
    verdict: outcome,
    anchor: { offset: part.sourceOffset(candidate.at), text: candidate.text },
    value: value && maskMatch(value, detector, part),
    refusals: rejections,
    to: winner?.id ?? null,
    words: outcome === 'needs a label' ? (detector.context?.words ?? []) : [],
  };
}

function maskMatch(
  { text, start, end, positive, negative, ...rest }: TracedMatch,
  detector: DetectorTrace['detector'],
  { sourceOffset, charset }: PositionContext['part'],
): MaskedMatch {
  return {
    ...rest,
    start: sourceOffset(start),
    end: sourceOffset(end),
    supports: positive,
    denies: negative,
    masked: maskValue(detector, text.toString(charset)),
  };
}

const MAX_LENGTH = 48;
const DELIMITERS = Buffer.from('"\'`,;<>|');

/**
 * The word at a position with its letters and digits masked: enough to identify it without revealing the
 * value.
 */
export function shapeAt(bytes: Buffer, at: number): string {
  let [from, to] = [at, at];
  while (from > 0 && at - from < MAX_LENGTH && isPrinted(bytes[from - 1]!)) from--;
  while (to < bytes.length && to - at < MAX_LENGTH && isPrinted(bytes[to]!)) to++;
  return bytes.toString('latin1', from, to).replace(/[^\x21-\x2f\x3a-\x40]/g, symbolOf);
}

function isPrinted(byte: number): boolean {
  return byte > 0x20 && byte !== 0x7f && !DELIMITERS.includes(byte);
}

function symbolOf(character: string): string {
  if (/\d/.test(character)) return '9';
  if (/[a-z]/.test(character)) return 'a';
  return /[A-Z]/.test(character) ? 'A' : '·';
}
