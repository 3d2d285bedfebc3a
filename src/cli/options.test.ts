import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { withOldSpelling } from './options.ts';

describe('the old spelling of a flag', () => {
  const command = () =>
    withOldSpelling(
      withOldSpelling(
        new Command().option('--on-this-host', 'a switch').option('--max-list-requests <number>', 'a number'),
        '--here',
        '--on-this-host',
      ),
      '--calls',
      '--max-list-requests',
    );

  it.each([
    [['--here'], { onThisHost: true }],
    [['--calls', '5'], { maxListRequests: '5' }],
    [['--calls=5', '--here'], { maxListRequests: '5', onThisHost: true }],
  ])('%j sets the option of its new name', (words, options) => {
    expect(command().parse(words, { from: 'user' }).opts()).toMatchObject(options);
  });

  it('is not shown in help', () => {
    expect(command().helpInformation()).not.toMatch(/--here|--calls/);
  });
});
