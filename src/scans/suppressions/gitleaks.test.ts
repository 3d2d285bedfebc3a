import { describe, expect, it } from 'vitest';
import { detectorsFor, parseIgnoreFile, parseIgnoreLine } from './gitleaks.ts';

const detectors = [
  'AWS_ACCESS_KEY',
  'API_KEY',
  'PASSWORD',
  'JWT',
  'SLACK_TOKEN',
  'SLACK_WEBHOOK',
  'TWILIO_API_KEY',
  'EMAIL',
];

describe('a line of an ignore file', () => {
  it.each([
    ['src/app.py:aws-access-token:12', { path: 'src/app.py', rule: 'aws-access-token' }],
    ['./src/app.py:jwt:1', { path: 'src/app.py', rule: 'jwt' }],
    ['9f2c1d4e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d:src/app.py:jwt:7', { path: 'src/app.py', rule: 'jwt' }],
    ['odd:name.txt:jwt:7', { path: 'odd:name.txt', rule: 'jwt' }],
    ['backup.zip!conf/app.yml:jwt:7', { path: 'backup.zip', rule: 'jwt' }],
    ['abcdef0:jwt:3', { path: 'abcdef0', rule: 'jwt' }],
  ])('%s', (line, read) => expect(parseIgnoreLine(line)).toEqual(read));

  it.each(['', 'src/app.py', 'src/app.py:12', 'src/app.py:jwt', 'src/app.py:jwt:x', ':jwt:3'])(
    '"%s" is none',
    (line) => expect(parseIgnoreLine(line)).toBeNull(),
  );
});

describe('the detectors of a rule', () => {
  it('are those of the list, of the same name, or of the same issuer', () => {
    expect(detectorsFor('aws-access-token', detectors)).toEqual(['AWS_ACCESS_KEY']);
    expect(detectorsFor('generic-api-key', detectors)).toEqual(['API_KEY', 'PASSWORD']);
    expect(detectorsFor('jwt', detectors)).toEqual(['JWT']);
    expect(detectorsFor('slack-bot-token', detectors)).toEqual(['SLACK_TOKEN']);
    expect(detectorsFor('twilio-api-key', detectors)).toEqual(['TWILIO_API_KEY']);
    expect(detectorsFor('twilio-access-token', detectors)).toEqual(['TWILIO_API_KEY']);
  });

  it('are none for unknown rules', () => {
    expect(detectorsFor('acme-secret-sauce', detectors)).toEqual([]);
    expect(detectorsFor('secret-key', detectors)).toEqual([]);
  });
});

it('a file is converted into entries for files and detectors, with the rejected lines', () => {
  const file = [
    '# kept',
    '',
    'a[1].py:jwt:3',
    'a[1].py:jwt:9',
    'b.py:generic-api-key:1',
    'b.py:acme-sauce:1',
    'nonsense',
  ].join('\r\n');
  const { matches, refused } = parseIgnoreFile(file, detectors);
  expect(matches.map(({ detector, object }) => [detector, object])).toEqual([
    ['JWT', 'a[1].py'],
    ['API_KEY', 'b.py'],
    ['PASSWORD', 'b.py'],
  ]);
  expect(refused.map(({ line, why }) => [line, why])).toEqual([
    [6, 'no detector is known for the rule acme-sauce'],
    [7, 'not of the form path:rule:line'],
  ]);
});
