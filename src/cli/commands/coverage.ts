import { Command } from 'commander';
import { type CommonFlags, withCommonOptions } from '../options.ts';

interface CoverageFlags extends CommonFlags {
  readonly list?: boolean;
}

export function coverageCommand(): Command {
  const command = new Command('coverage')
    .description('show what was read and what was not, and why')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)')
    .option('--list', 'list every object that was not fully read');
  return withCommonOptions(command).action(async (id: string | undefined, flags: CoverageFlags) => {
    const { showCoverage } = await import('../results/show-coverage.ts');
    await showCoverage(id, flags);
  });
}
