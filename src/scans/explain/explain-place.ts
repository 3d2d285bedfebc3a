/** Why something is, or is not, found at a place of an object: reads it as a scan does, as far as is needed. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { type Claim, explainAt, type Opinion, type Verdict } from '../../detection/explain.ts';
import { maskValue } from '../../detection/masking.ts';
import { extractStream } from '../../extraction/extract.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { meansOf } from '../detect/means.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { type Place, placeText } from './place.ts';
import { shapeAt } from './shape.ts';
import { type Stretch, StretchAt } from './stretch-at.ts';

/** Offsets are those of the object, or of the part's text where it was unpacked. Masked throughout. */
export interface PlaceExplanation {
  readonly part: string | null;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** What stands there, with 9 for digits and a or A for letters. */
  readonly shape: string;
  readonly opinions: readonly MaskedOpinion[];
  /** Detectors that are on and have nothing to stop at here. */
  readonly silent: number;
}

export interface MaskedOpinion {
  readonly detector: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly anchor: { readonly offset: number; readonly text: string };
  readonly value: MaskedClaim | null;
  readonly refusals: readonly string[];
  readonly to: string | null;
  /** Words that would name such a value. */
  readonly words: readonly string[];
}

export type MaskedClaim = Omit<Claim, 'text'> & { readonly masked: string };

export interface Looked {
  readonly source: Source;
  readonly object: SourceObject;
  readonly rules: RuleSet;
  readonly place: Place;
  /** Undefined: the first that has the place. */
  readonly part?: string | null;
  /** How names are shown. */
  readonly names?: Names;
}

export async function explainPlace(looked: Looked, signal: AbortSignal): Promise<PlaceExplanation> {
  const { rules, names = PLAIN_NAMES } = looked;
  const stretch = await readStretch(looked, signal);
  const detectors = detectorsOf(rules, catalogue);
  const { part, bytes, offset, at, line, column } = stretch;
  const opinions = explainAt(detectors, thresholdsOf(rules, detectors), { bytes, offset, context: part }, at);
  return {
    part: part.name === null ? null : names.name(part.name),
    offset: part.origin(at),
    line,
    column,
    shape: shapeAt(bytes, at - offset),
    opinions: opinions.map((opinion) => masked(opinion, stretch)),
    silent: detectors.length - opinions.length,
  };
}

async function readStretch(looked: Looked, signal: AbortSignal): Promise<Stretch> {
  const { source, object, place, part, rules, names = PLAIN_NAMES } = looked;
  const sink = new StretchAt(place, part, names);
  const enough = async function* () {
    for await (const chunk of source.read(object, null, signal)) {
      yield chunk;
      if (sink.complete) return;
    }
  };
  const reading = await extractStream(object.key, enough(), sink, meansOf(rules));
  if (sink.found) return sink.found;
  const name = displayKey(names.seal(object.key));
  if (reading.state === 'skipped')
    throw new SeineError('usage', `${name} holds no text that Seine can read: ${reading.reason}.`);
  throw new SeineError('usage', `${name} has no ${placeText(place)}${part == null ? '' : ` in ${part}`}.`, {
    hint: 'Bytes count from 0, lines and columns from 1; in a part that was unpacked they count in its text.',
  });
}

function masked(
  { detector, verdict, anchor, value, refusals, to }: Opinion,
  { part }: Stretch,
): MaskedOpinion {
  return {
    detector: detector.id,
    title: detector.title,
    verdict,
    anchor: { offset: part.origin(anchor.at), text: anchor.text },
    value: value && maskedClaim(value, detector, part),
    refusals,
    to: to?.id ?? null,
    words: verdict === 'needs a label' ? (detector.context?.words ?? []) : [],
  };
}

function maskedClaim(
  { text, start, end, ...rest }: Claim,
  detector: Opinion['detector'],
  { origin, charset }: Stretch['part'],
): MaskedClaim {
  return {
    ...rest,
    start: origin(start),
    end: origin(end),
    masked: maskValue(detector, text.toString(charset)),
  };
}
