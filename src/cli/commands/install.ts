import { Argument, Command } from 'commander';
import { COMPONENT_NAMES, COMPONENTS } from '../../base/components/component.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';

export function installCommand(): Command {
  const rows = COMPONENT_NAMES.map(
    (name) => `  ${name.padEnd(8)}${COMPONENTS[name].purpose}, ${COMPONENTS[name].megabytes} MB`,
  );
  const command = new Command('install')
    .description('install optional components before their first use, which would install them')
    .addArgument(new Argument('<component...>', 'which').choices([...COMPONENT_NAMES, 'all']))
    .addHelpText('after', `\nComponents:\n${rows.join('\n')}`);
  return withCommonOptions(command).action(async (names: string[], flags: CommonFlags) => {
    const { installComponents } = await import('../install-components.ts');
    await installComponents(names, flags);
  });
}
