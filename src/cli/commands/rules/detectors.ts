import { Command, Option } from 'commander';
import { CATEGORIES } from '../../../governance/categories.ts';
import { PACKS } from '../../../governance/packs/packs.ts';
import { packOption, withCommonOptions } from '../../options.ts';
import type { DetectorsFlags } from '../../rules/list-detectors.ts';

export function detectorsCommand(): Command {
  const command = new Command('detectors')
    .description('what Seine can find; one of them in full, with its examples and what it costs')
    .argument('[id]', 'one of them, such as SSN')
    .addOption(new Option('--category <name>', 'only those of a category').choices(CATEGORIES))
    .addOption(packOption('only those of a pack; may be repeated'))
    .option('--country <code>', 'only those of a country, such as DE')
    .option('--rules <file>', 'those that are on under a rule set, its own ones included')
    .addHelpText('after', packHelp());
  return withCommonOptions(command).action(async (id: string | undefined, flags: DetectorsFlags) => {
    const { listDetectors } = await import('../../rules/list-detectors.ts');
    listDetectors(id, flags);
  });
}

function packHelp(): string {
  return `\nPacks:\n${PACKS.map(({ name, title }) => `  ${name.padEnd(10)}${title}`).join('\n')}`;
}
