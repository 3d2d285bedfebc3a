import { Command } from 'commander';
import { type CommonFlags, collect, configOf, withCommonOptions, withOldSpelling } from '../options.ts';

interface PlanFlags extends CommonFlags {
  readonly workers?: string[];
  readonly maxListRequests?: string;
}

export function planCommand(): Command {
  const command = new Command('plan')
    .description('estimate size, cost and duration of a scan; no data is read')
    .argument('<target>', 'folder, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://ACCOUNT/CONTAINER/PREFIX')
    .option(
      '--workers <number>',
      'estimate for this number of workers; repeatable (default: 1, 4, 16, 64)',
      collect,
    )
    .option(
      '--max-list-requests <number>',
      'maximum listing requests for the estimate (default: plan.list_calls, 128)',
    );
  withOldSpelling(command, '--calls', '--max-list-requests');
  return withCommonOptions(command).action(async (target: string, flags: PlanFlags) => {
    const { showPlan } = await import('../scans/show-plan.ts');
    await showPlan(target, flags, configOf(flags));
  });
}
