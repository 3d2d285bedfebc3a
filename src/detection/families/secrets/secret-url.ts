import { isAlnum, textOf } from '../../bytes.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';
import { literally } from './issued-token.ts';
import { textsAt } from './texts-at.ts';

interface SecretUrl
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'examples' | 'mask'>> {
  /** A rare part of the path, at least twelve characters long including what follows. */
  readonly parts: readonly string[];
  /** Matches the text before the part, up to its end; the value begins with this match. */
  readonly before: RegExp;
  /** Matches the text from the part's first character on; the last group is the secret. */
  readonly after: RegExp;
  /** Example texts for both. */
  readonly sample: readonly [string, string];
}

const BACK = 160;
const AHEAD = 300;
const PREFILTER = 12;

/** A URL whose path is the secret, such as a webhook: anyone who has it can post there. */
export function secretUrl(url: SecretUrl): Detector {
  const { parts, before, after, sample, examples, ...rest } = url;
  const partAt = textsAt(parts);
  return {
    risk: 7,
    confidence: 0.95,
    mask: (value) => maskSecret(value),
    ...rest,
    category: 'credential',
    strength: 'prefix',
    regulations: ['soc2'],
    prefilters: parts.map((part) => ({ pattern: prefilterOf(part) })),
    verify(bytes, at, match) {
      const part = parts[partAt(bytes, at)];
      if (part === undefined) return rejectMatch(match, 'path');
      const host = before.exec(textOf(bytes, at - BACK, at))?.[0];
      if (host === undefined || isAlnum(bytes[at - host.length - 1]!)) return rejectMatch(match, 'host');
      const path = after.exec(textOf(bytes, at + part.length, at + part.length + AHEAD));
      if (path === null) return rejectMatch(match, 'form');
      const end = at + part.length + path[0].length;
      if (isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
      if (isFiller(path.at(-1)!)) return rejectMatch(match, 'placeholder');
      return acceptMatch(match, at - host.length, end, REASON.issuer);
    },
    examples: withPlainOnes(parts[0]!, sample, examples),
  };
}

function prefilterOf(part: string): string {
  const rest = PREFILTER - part.length;
  return `\\b${literally(part.slice(0, PREFILTER))}${rest > 0 ? `[A-Za-z0-9_/-]{${rest}}` : ''}`;
}

function withPlainOnes(
  part: string,
  [host, path]: readonly [string, string],
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  const value = host + part + path;
  return {
    match: [
      value,
      { text: `curl https://${value} -d x`, value },
      { text: `"https://${value}"`, value },
      ...own.match,
    ],
    not: [
      `https://${host}${part}`,
      `https://acme.example/${part}${path}`,
      value.slice(0, -12),
      `https://x${value}`,
      ...own.not,
    ],
  };
}
