import { byteSet, DASH, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const PAIR = /^-?(\d{1,2}\.\d{4,8})(?:°? ?[NS])?(?:, ?|; ?| )-?(\d{1,3}\.\d{4,8})(?:°? ?[EW])?(?![\d.])/;
const DEGREES =
  /^\d{1,2}° ?\d{1,2}['′] ?(?:\d{1,2}(?:\.\d+)?["″] ?)?[NS],? ?\d{1,3}° ?\d{1,2}['′] ?(?:\d{1,2}(?:\.\d+)?["″] ?)?[EW]/;
const SINGLE = /^-?(\d{1,3})\.\d{4,10}(?![\d.])/;

/** A person's location, with a precision of about ten metres. */
export const gpsCoordinates: Detector = {
  id: 'GPS_COORDINATES',
  title: 'Geographic coordinates',
  category: 'quasi_identifier',
  strength: 'context',
  regulations: ['gdpr', 'ccpa', 'hipaa'],
  risk: 4,
  prefilters: [
    { pattern: String.raw`\b\d{1,2}°` },
    { pattern: String.raw`\b\d{1,3}\.\d{4}`, labelled: true },
  ],
  confidence: 0.65,
  context: {
    words: [
      ...[
        'gps',
        'coordinates',
        'coords',
        'geolocation',
        'geo location',
        'lat long',
        'lat lon',
        'lat lng',
        'latlng',
        'latlong',
      ],
      ...['location', 'position', 'latitude', 'longitude', 'lat', 'lng', 'lon', 'last seen at'],
    ],
    avoid: ['store', 'branch', 'warehouse', 'price', 'version'],
  },
  verify(bytes, at, match) {
    const start = bytes[at - 1] === DASH && !isAlnum(bytes[at - 2]!) ? at - 1 : at;
    if (isAlnum(bytes[start - 1]!) || bytes[start - 1] === 0x2e) return rejectMatch(match, 'stands alone');
    if (bytes[start + 1] === DEGREE || bytes[start + 2] === DEGREE) return inDegrees(bytes, start, match);
    if (!hasDecimals(bytes, bytes[start] === DASH ? start + 1 : start))
      return rejectMatch(match, 'form or label');
    const text = textOf(bytes, start, start + 48);
    const pair = PAIR.exec(text);
    if (pair !== null && Number(pair[1]) <= 90 && Number(pair[2]) <= 180) {
      if (!match.hasLabel(start)) return rejectMatch(match, 'label');
      // Stores have coordinates too: where a column is only called latitude, it is a guess.
      match.confidence = SAYS_GPS.test(textOf(bytes, start - 48, start)) ? 0.7 : 0.45;
      return acceptMatch(match, start, start + pair[0].length, REASON.pattern);
    }
    const single = SINGLE.exec(text);
    if (single === null || Number(single[1]) > 180 || !match.hasLabel(start))
      return rejectMatch(match, 'form or label');
    match.confidence = 0.45;
    return acceptMatch(match, start, start + single[0].length, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 2, 0),
  examples: {
    match: [
      { text: 'GPS: 48.858370, 2.294481', value: '48.858370, 2.294481' },
      { text: 'location 47.470057,-121.780140', value: '47.470057,-121.780140' },
      { text: 'at 48°51\'29"N 2°17\'40"E', value: '48°51\'29"N 2°17\'40"E' },
    ],
    not: [
      '48.858370, 2.294481',
      'GPS: 98.858370, 2.294481',
      'price 48.8583',
      'lat 12',
      { text: '39.142494', field: 'lat' },
    ],
  },
};

/** The first byte of "°". */
const DEGREE = 0xc2;

function inDegrees(bytes: Buffer, start: number, match: Match): boolean {
  const degrees = DEGREES.exec(bytes.toString('utf8', start, start + 48))?.[0];
  if (degrees === undefined) return rejectMatch(match, 'form or label');
  return acceptMatch(match, start, start + Buffer.byteLength(degrees), REASON.pattern);
}

/** Up to three digits, then four to ten decimals. */
function hasDecimals(bytes: Buffer, at: number): boolean {
  const dot = runEnd(bytes, at, 4, DIGITS);
  if (bytes[dot] !== 0x2e) return false;
  const decimals = runEnd(bytes, dot + 1, 11, DIGITS) - dot - 1;
  return decimals >= 4 && decimals <= 10;
}

const DIGITS = byteSet('09');
const SAYS_GPS =
  /\b(?:gps|coord\w*|geo\w*|location|position|lat ?(?:[,/&]|and)? ?l(?:on|ng)\w*|last seen)\b/i;
