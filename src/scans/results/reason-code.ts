/**
 * Why an object was not read completely, or a task failed, is stored as a code: `no-permission`, or with a detail `corrupt: zip checksum`. The
 * sentence is produced when it is shown, so it can be changed without touching stored rows. Text without a code, such as the message of a
 * store, is stored and shown as it is.
 */
interface Reason {
  readonly code: string;
  /** For people. `{}` stands for the detail; without it the detail follows after a colon. */
  readonly text: string;
  /** What was stored before there were codes, if that was another text. */
  readonly earlier?: string;
  /** The object was left out by an error: the scan is incomplete, and the exit code is 1. */
  readonly isError?: true;
}

/**
 * Reasons that are no errors are properties of the object or decisions of the user: the scan is complete without these objects.
 * Migration 0040 has the same list.
 */
const REASONS: readonly Reason[] = [
  { code: 'deleted', text: 'deleted before it was read', earlier: 'vanished before it was read' },
  { code: 'changed', text: 'changed while it was read', isError: true },
  { code: 'no-permission', text: 'no permission', isError: true },
  { code: 'read-failed', text: 'could not be read', isError: true },
  { code: 'source-limit', text: 'beyond a limit', isError: true },
  {
    code: 'request-rejected',
    text: 'the source rejected the request',
    earlier: 'the source refused the request',
    isError: true,
  },
  { code: 'listing-mismatch', text: 'not what the source lists', isError: true },
  { code: 'in-use', text: 'in use', isError: true },
  { code: 'internal-error', text: 'internal error', isError: true },
  { code: 'invalid-size', text: 'the store lists an invalid size', isError: true },
  { code: 'name-not-utf8', text: 'its name is not UTF-8', isError: true },
  { code: 'archived', text: 'archived' },
  { code: 'too-large', text: 'larger than the size limit' },
  { code: 'symbolic-link', text: 'symbolic link' },
  { code: 'not-regular-file', text: 'not a regular file' },
  { code: 'sparse-file', text: 'sparse file, not read to its end' },
  { code: 'encrypted', text: 'encrypted' },
  { code: 'corrupt', text: 'corrupt' },
  { code: 'limit', text: 'limit' },
  { code: 'unsupported-format', text: 'unsupported format' },
  { code: 'unsupported-inside', text: 'unsupported inside' },
  { code: 'ocr-off', text: 'picture: OCR is off' },
  { code: 'reader-failed', text: 'document reader failed', isError: true },
  { code: 'reader-exited', text: 'document reader ended ({})', isError: true },
  { code: 'reader-stalled', text: 'document reader stalled', earlier: 'document reader hangs' },
  { code: 'detection-stalled', text: 'detection stalled', earlier: 'detection made no progress' },
  { code: 'detection-crashed', text: 'crashed detection' },
  { code: 'detection-thread-exited', text: 'its detection thread ended' },
  {
    code: 'worker-crashed',
    text: 'crashed the worker repeatedly',
    earlier: 'ended the process again and again',
  },
  { code: 'worker-crashes', text: 'crashed the worker {} times' },
  { code: 'result-not-stored', text: 'its result could not be stored' },
  { code: 'scan-reopened', text: 'the scan was reopened', earlier: 'the scan was opened again' },
  { code: 'scan-deleted', text: 'the scan was deleted', earlier: 'the scan is gone' },
  {
    code: 'hook-not-requested',
    text: 'not requested for scans that are {}',
    earlier: 'not asked for when a scan is {}',
  },
  {
    code: 'receiver-gone',
    text: 'the receiver answered 410 Gone: it wants no more deliveries',
    earlier: 'The receiver wants no more deliveries (410).',
  },
];

/** Of rows that were stored as codes, and of those that workers of earlier versions write. */
export const ERROR_PREFIXES: readonly string[] = REASONS.filter(({ isError }) => isError).flatMap(
  ({ code, text, earlier = text }) => [code, earlier.replace(/\(\{\}\)$/, '')],
);

/** By code: the sentence, where `{}` stands for the detail. For statements that search in what is shown. */
export const REASON_TEMPLATES: Readonly<Record<string, string>> = Object.fromEntries(
  REASONS.map(({ code, text }) => [code, text]),
);

const BY_CODE = new Map(REASONS.map((reason) => [reason.code, reason]));
const STORED = /^([a-z0-9-]+)(?:: (.*))?$/s;
const PATTERNS = REASONS.flatMap(({ code, text, earlier = text }) =>
  [...new Set([text, earlier])].map((template) => ({ code, pattern: patternOf(template) })),
);

/** In error groups (errorGroupKey) numbers are replaced by #. */
function patternOf(template: string): RegExp {
  const escaped = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\d+/g, (number) => `(?:${number}|#)`);
  return new RegExp(
    escaped.includes('{}') ? `^${escaped.replace('{}', '(.*)')}$` : `^${escaped}(?:: (.*))?$`,
    's',
  );
}

/** As it is stored: the code of a known reason, else the text. */
export function toReasonCode(reason: string): string {
  const [, known = ''] = STORED.exec(reason) ?? [];
  if (BY_CODE.has(known)) return reason;
  for (const { code, pattern } of PATTERNS) {
    const match = pattern.exec(reason);
    if (match) return match[1] === undefined ? code : `${code}: ${match[1]}`;
  }
  return reason;
}

/** The sentence for a stored reason. */
export function reasonText(stored: string): string {
  const [, code = '', detail] = STORED.exec(toReasonCode(stored)) ?? [];
  const known = BY_CODE.get(code);
  if (!known) return stored;
  if (known.text.includes('{}')) return known.text.replace('{}', () => detail ?? '');
  return detail === undefined ? known.text : `${known.text}: ${detail}`;
}

/** The fields of a stored reason in JSON: the sentence, and its code (the text itself if it has none). */
export function describeReason(stored: string | null): { reason: string | null; reasonCode: string | null } {
  return stored === null || stored === ''
    ? { reason: stored, reasonCode: null }
    : { reason: reasonText(stored), reasonCode: toReasonCode(stored) };
}
