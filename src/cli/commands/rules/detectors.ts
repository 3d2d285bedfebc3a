import { Command, Option } from 'commander';
import { CATEGORIES } from '../../../governance/categories.ts';
import { PACKS } from '../../../governance/packs/packs.ts';
import { packOption, withCommonOptions } from '../../options.ts';
import type { DetectorsFlags } from '../../rules/list-detectors.ts';

export function detectorsCommand(): Command {
  const command = new Command('detectors')
    .description('list detectors, or show one with its examples and cost')
    .argument('[id]', 'detector to show, such as SSN')
    .addOption(new Option('--category <name>', 'only of this category').choices(CATEGORIES))
    .addOption(packOption('only of this pack; repeatable'))
    .option('--country <code>', 'only of this country, such as DE')
    .option('--rules <file>', 'only those enabled by a rule set (YAML), including its custom ones')
    .addHelpText('after', packHelp());
  return withCommonOptions(command).action(async (id: string | undefined, flags: DetectorsFlags) => {
    const { listDetectors } = await import('../../rules/list-detectors.ts');
    listDetectors(id, flags);
  });
}

function packHelp(): string {
  return `\nPacks:\n${PACKS.map(({ name, title }) => `  ${name.padEnd(10)}${title}`).join('\n')}`;
}
