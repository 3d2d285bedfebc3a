import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { classifyColumn } from './classify-column.ts';
import { classifyMatches, isOutlier } from './columns.ts';

const by = (id: string) => catalogue.find((detector) => detector.id === id)!;
const claim = (id: string, cells: number, confidence = 0.8) => ({ detector: by(id), cells, confidence });

describe('column classification', () => {
  it('takes the detector that matches most values, once enough values have been seen', () => {
    const mails = [claim('EMAIL', 9, 0.9)];
    expect(classifyMatches('x', 10, mails)).toEqual({ detector: 'EMAIL', share: 0.9, confidence: 0.86 });
    expect(classifyMatches('x', 9, mails)).toBeNull();
    expect(classifyMatches('x', 16, mails)).toBeNull();
    expect(classifyMatches('x', 0, mails)).toBeNull();
    expect(classifyMatches('x', 10, [])).toBeNull();
  });

  it('needs fewer values if the column name supports the detector', () => {
    expect(classifyMatches('home_phone', 9, [claim('PHONE', 3)])).toMatchObject({
      detector: 'PHONE',
      share: 0.33,
    });
    expect(classifyMatches('userEmail', 4, [claim('EMAIL', 2)])?.detector).toBe('EMAIL');
    expect(classifyMatches('home_phone', 100, [claim('PHONE', 29)])).toBeNull();
    expect(classifyMatches('x', 100, [claim('PHONE', 50)])).toBeNull();
  });

  it('takes the detector with most matches, then the stronger one, and caps the share at 1', () => {
    expect(classifyMatches('x', 20, [claim('PHONE', 12), claim('IMEI', 14)])?.detector).toBe('IMEI');
    expect(classifyMatches('x', 20, [claim('PHONE', 14), claim('IMEI', 14)])?.detector).toBe('IMEI');
    expect(classifyMatches('x', 20, [claim('PHONE', 25)])?.share).toBe(1);
  });
});

describe('an outlier', () => {
  const imei = { detector: by('IMEI'), share: 0.9 };

  it('is weaker than the type of its column, and rare in it', () => {
    expect(isOutlier('x', 100, claim('PHONE', 5), imei)).toBe(true);
    expect(isOutlier('x', 100, claim('PHONE', 46), imei)).toBe(false);
    expect(isOutlier('x', 100, claim('SSN', 5), { detector: by('NAME'), share: 0.9 })).toBe(false);
    expect(isOutlier('x', 100, claim('CREDIT_CARD', 5), { detector: by('GITHUB_TOKEN'), share: 0.9 })).toBe(
      false,
    );
  });

  it('is a heuristic match of very few among many values', () => {
    expect(isOutlier('city', 50, claim('NAME', 2), null)).toBe(true);
    expect(isOutlier('city', 49, claim('NAME', 2), null)).toBe(false);
    expect(isOutlier('city', 50, claim('NAME', 3), null)).toBe(false);
    expect(isOutlier('city', 1000, claim('EMAIL', 1), null)).toBe(false);
  });

  it('is never a type that the column name supports', () => {
    expect(isOutlier('phone', 100, claim('PHONE', 5), imei)).toBe(false);
    expect(isOutlier('last name', 1000, claim('NAME', 1), null)).toBe(false);
  });
});

describe('a complete column', () => {
  it('is classified by its values and its name', () => {
    const mails = ['jane@acme.example', '', 'joe@acme.example', 'n/a', 'ann.lee@acme.example'];
    expect(classifyColumn('x', mails)).toMatchObject({ detector: 'EMAIL', share: 0.75 });
    expect(classifyColumn('Zip Code', ['32259', '32092'])).toMatchObject({
      detector: 'POSTAL_CODE',
      share: 1,
    });
    expect(classifyColumn('Gender', ['Male', 'Female', ''])?.detector).toBe('GENDER');
  });

  it('has no type without values, with unknown values, or with a single heuristic match', () => {
    expect(classifyColumn('email', ['', ' '])).toBeNull();
    expect(classifyColumn('amount', ['12.50', '7.00', '110.95'])).toBeNull();
    expect(classifyColumn('type', ['Managed Workstation'])).toBeNull();
  });

  it('is not classified by matches inside long texts', () => {
    const notes = Array.from(
      { length: 12 },
      (_, n) => `please send the report of last week to joe${n}@acme.example`,
    );
    expect(classifyColumn('notes', notes)).toBeNull();
  });
});
