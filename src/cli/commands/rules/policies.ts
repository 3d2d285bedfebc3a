import { Command } from 'commander';
import { withCommonOptions } from '../../options.ts';
import type { PoliciesFlags } from '../../rules/list-policies.ts';

export function policiesCommand(): Command {
  const command = new Command('policies')
    .description('list policies: combinations of findings to act on')
    .argument('[name]', 'policy to explain')
    .option('--rules <file>', 'policies of a rule set (YAML), including its custom ones');
  return withCommonOptions(command).action(async (name: string | undefined, flags: PoliciesFlags) => {
    const { listPolicies } = await import('../../rules/list-policies.ts');
    listPolicies(name, flags);
  });
}
