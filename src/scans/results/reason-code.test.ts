import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorGroupKey } from '../../base/error-group-key.ts';
import { describeReason, ERROR_PREFIXES, reasonText, toReasonCode } from './reason-code.ts';

describe('a reason', () => {
  it.each([
    ['no permission', 'no-permission', 'no permission'],
    ['vanished before it was read', 'deleted', 'deleted before it was read'],
    ['corrupt: zip checksum', 'corrupt: zip checksum', 'corrupt: zip checksum'],
    ['unsupported format: a: b', 'unsupported-format: a: b', 'unsupported format: a: b'],
    ['document reader ended (139)', 'reader-exited: 139', 'document reader ended (139)'],
    ['crashed the worker 3 times', 'worker-crashes: 3', 'crashed the worker 3 times'],
    ['picture: OCR is off', 'ocr-off', 'picture: OCR is off'],
    [
      'not asked for when a scan is failed',
      'hook-not-requested: failed',
      'not requested for scans that are failed',
    ],
  ])('%s is stored as %s', (text, code, shown) => {
    expect(toReasonCode(text)).toBe(code);
    expect(toReasonCode(code)).toBe(code);
    expect(reasonText(code)).toBe(shown);
    expect(reasonText(text)).toBe(shown);
    expect(toReasonCode(shown)).toBe(code);
  });

  it.each([
    ['The receiver wants no more deliveries (410).', 'receiver-gone'],
    ['its name is not UTF-8', 'name-not-utf8'],
    ['crashed the worker 3 times', 'worker-crashes: #'],
  ])('%s has a code also as an error group', (sentence, code) => {
    expect(toReasonCode(errorGroupKey(sentence))).toBe(code);
    expect(errorGroupKey(toReasonCode(sentence))).toBe(code);
  });

  it('without a code is stored and shown as it is', () => {
    for (const text of ['', 'connect ECONNREFUSED: 10.0.0.1', 'in use by Excel', 'corruption'])
      expect([toReasonCode(text), reasonText(text)]).toEqual([text, text]);
  });

  it('has both in JSON', () => {
    expect(describeReason('no-permission')).toEqual({ reason: 'no permission', reasonCode: 'no-permission' });
    expect(describeReason('out of tape')).toEqual({ reason: 'out of tape', reasonCode: 'out of tape' });
    expect(describeReason(null)).toEqual({ reason: null, reasonCode: null });
  });
});

describe('an error', () => {
  it('is known by its code and by what earlier versions store', () => {
    const isError = (stored: string) => ERROR_PREFIXES.some((prefix) => stored.startsWith(prefix));
    for (const stored of [
      'no-permission',
      'no permission',
      'reader-exited: 139',
      'document reader ended (139)',
    ])
      expect([stored, isError(stored)]).toEqual([stored, true]);
    for (const stored of [
      'deleted',
      'vanished before it was read',
      'encrypted',
      'corrupt: zip',
      'limit: time',
      'reader-stalled',
    ])
      expect([stored, isError(stored)]).toEqual([stored, false]);
  });

  it('is one for the migration, too', () => {
    const sql = readFileSync(new URL('../../db/migrations/0040_reason_codes.sql', import.meta.url), 'utf8');
    const codes = /error_codes text\[\] := '\{([^}]+)\}'/
      .exec(sql)![1]!
      .split(',')
      .map((code) => code.trim());
    for (const code of codes) expect(ERROR_PREFIXES).toContain(code);
    expect(ERROR_PREFIXES.filter((prefix) => /^[a-z0-9-]+$/.test(prefix)).sort()).toEqual(
      expect.arrayContaining(codes.toSorted()),
    );
  });
});
