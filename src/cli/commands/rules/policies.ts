import { Command } from 'commander';
import { withCommonOptions } from '../../options.ts';
import type { PoliciesFlags } from '../../rules/list-policies.ts';

export function policiesCommand(): Command {
  const command = new Command('policies')
    .description('the policies: which findings together are a matter for somebody')
    .argument('[name]', 'one of them, explained')
    .option('--rules <file>', 'those that are on under a rule set, its own ones included');
  return withCommonOptions(command).action(async (name: string | undefined, flags: PoliciesFlags) => {
    const { listPolicies } = await import('../../rules/list-policies.ts');
    listPolicies(name, flags);
  });
}
