import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';

interface CheckFlags extends CommonFlags {
  readonly strict?: boolean;
}

interface TrustFlags {
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

export function configCommand(exit: SetExitCode): Command {
  const command = new Command('config').description('show and check the configuration');
  command.addCommand(showCommand());
  command.addCommand(checkCommand(exit));
  command.addCommand(schemaCommand());
  command.addCommand(trustCommand());
  command.addCommand(untrustCommand());
  for (const sub of command.commands) sub.helpOption('-h, --help', 'show this help').exitOverride();
  return command;
}

function showCommand(): Command {
  const command = new Command('show').description(
    'list every setting with its value and origin; secrets are not shown',
  );
  return withCommonOptions(command).action(async (flags: CommonFlags) => {
    const { showConfig } = await import('../config/show-config.ts');
    showConfig(flags);
  });
}

function checkCommand(exit: SetExitCode): Command {
  const command = new Command('check')
    .description('check a configuration file: errors with line, column and correction')
    .argument('[file]', 'configuration file (default: the one in use)')
    .option('--strict', 'report a missing secret as an error')
    .addHelpText('after', '\nExit codes: 0 valid · 2 invalid');
  return withCommonOptions(command).action(async (file: string | undefined, flags: CheckFlags) => {
    const { checkConfig } = await import('../config/check-config.ts');
    exit(checkConfig(file === undefined ? flags : { ...flags, config: file }));
  });
}

function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of seine.yaml, for your editor')
    .action(async () => {
      const { DECLARATION } = await import('../../config/declaration/declaration.ts');
      const { jsonSchema } = await import('../../config/declaration/json-schema.ts');
      process.stdout.write(`${JSON.stringify(jsonSchema(DECLARATION), null, 2)}\n`);
    });
}

function trustCommand(): Command {
  return new Command('trust')
    .description('trust a configuration file of the working folder until the file changes')
    .argument('[file]', 'configuration file (default: ./seine.yaml)')
    .option('--list', 'list the trusted files')
    .option('--remove', 'same as seine config untrust')
    .option('--json', 'with --list: print JSON instead of text')
    .action(async (file: string | undefined, flags: TrustFlags) => {
      const { listTrusted, trustConfig, untrustConfig } = await import('../config/trust-config.ts');
      if (flags.list) listTrusted(flags.json === true);
      else if (flags.remove) untrustConfig(file);
      else trustConfig(file);
    });
}

function untrustCommand(): Command {
  return new Command('untrust')
    .description('remove a file from the trusted ones')
    .argument('[file]', 'configuration file (default: ./seine.yaml)')
    .action(async (file: string | undefined) => {
      const { untrustConfig } = await import('../config/trust-config.ts');
      untrustConfig(file);
    });
}
