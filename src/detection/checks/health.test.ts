import { describe, expect, it } from 'vitest';
import { deaChecks, mbiShaped, npiChecks } from './health.ts';
import { nhsChecks } from './national/britain-ireland.ts';

describe('NPI', () => {
  it.each(['1234567893', '1245319599'])('%s passes', (text) => expect(npiChecks(text)).toBe(true));
  it.each(['1234567890', '3234567893', '123456789', '12345678931'])('%s fails', (text) => {
    expect(npiChecks(text)).toBe(false);
  });
});

describe('DEA', () => {
  it.each(['AB1234563', 'F91234563', 'BJ6125341'])('%s passes', (text) => expect(deaChecks(text)).toBe(true));
  it.each(['AB1234564', 'QB1234563', 'AB0000000', 'AB123456'])('%s fails', (text) => {
    expect(deaChecks(text)).toBe(false);
  });
});

describe('NHS number', () => {
  it.each(['9434765919', '4010232137'])('%s passes', (text) => expect(nhsChecks(text)).toBe(true));
  it.each(['9434765918', '1111111111', '943476591'])('%s fails', (text) =>
    expect(nhsChecks(text)).toBe(false),
  );
});

describe('Medicare beneficiary identifier', () => {
  it('accepts the published sample', () => expect(mbiShaped('1EG4TE5MK73')).toBe(true));
  it.each(['0EG4TE5MK73', '1SG4TE5MK73', '1EGATE5MK73', '1EG4TE5MK7'])('rejects %s', (text) => {
    expect(mbiShaped(text)).toBe(false);
  });
});
