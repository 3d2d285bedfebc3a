import { describe, expect, it } from 'vitest';
import { catalogue } from '../../catalogue.ts';
import { REASON } from '../../reasons.ts';
import { scanText } from '../../scan.fixture.ts';
import { createScanner } from '../../scanner.ts';
import { NO_SECRET_LINES } from './no-secret-lines.fixture.ts';
import { PASSWORD_LABELS, SECRET_LINES, type SecretLine } from './secret-lines.fixture.ts';

const scanner = createScanner(catalogue);

/** The values of secrets and user names in a text, without those marked as test values. */
function secretsIn(text: string): string[] {
  return scanText(scanner, text)
    .filter(({ detector }) => isSecret(catalogue[detector]!))
    .filter(({ reasons }) => (reasons & REASON.testValue) === 0)
    .map(({ value }) => Buffer.from(value, 'latin1').toString());
}

function isSecret({ category, id }: { readonly category: string; readonly id: string }): boolean {
  return category === 'credential' || id === 'USERNAME';
}

function rows(lines: Readonly<Record<string, readonly SecretLine[]>>): [string, string, string][] {
  return Object.entries(lines).flatMap(([name, all]) =>
    all.map(([text, value]): [string, string, string] => [name, text, value]),
  );
}

describe('a secret is found', () => {
  it.each(rows(SECRET_LINES))('in %s: %j', (_, text, value) => expect(secretsIn(text)).toContain(value));
});

describe('a password is found after its label', () => {
  it.each(rows(PASSWORD_LABELS))('in %s: %j', (_, text, value) => expect(secretsIn(text)).toContain(value));
});

describe('no secret is', () => {
  const lines = Object.entries(NO_SECRET_LINES).flatMap(([name, all]) =>
    all.map((text): [string, string] => [name, text]),
  );
  it.each(lines)('%s: %j', (_, text) => expect(secretsIn(text)).toEqual([]));
});
