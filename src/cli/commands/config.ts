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
  const command = new Command('config').description(
    'the settings: what they are, and whether a file of them is right',
  );
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
    'every setting with its value and where it came from; no secrets',
  );
  return withCommonOptions(command).action(async (flags: CommonFlags) => {
    const { showConfig } = await import('../config/show-config.ts');
    showConfig(flags);
  });
}

function checkCommand(exit: SetExitCode): Command {
  const command = new Command('check')
    .description('all that is wrong with a configuration: line, column, what to write instead')
    .argument('[file]', 'the file (default: the one that would be used)')
    .option('--strict', 'a secret that is not there counts as an error')
    .addHelpText('after', '\nExit codes: 0 valid · 2 not valid');
  return withCommonOptions(command).action(async (file: string | undefined, flags: CheckFlags) => {
    const { checkConfig } = await import('../config/check-config.ts');
    exit(checkConfig(file === undefined ? flags : { ...flags, config: file }));
  });
}

function schemaCommand(): Command {
  return new Command('schema')
    .description('the JSON Schema of seine.yaml, for your editor')
    .action(async () => {
      const { DECLARATION } = await import('../../config/declaration.ts');
      const { jsonSchema } = await import('../../config/json-schema.ts');
      process.stdout.write(`${JSON.stringify(jsonSchema(DECLARATION), null, 2)}\n`);
    });
}

function trustCommand(): Command {
  return new Command('trust')
    .description('use all settings of a file that is found in the working folder, until the file changes')
    .argument('[file]', 'the file (default: seine.yaml here)')
    .option('--list', 'list the trusted files')
    .option('--remove', 'no longer trust the file, as seine config untrust')
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
    .description('no longer trust a file')
    .argument('[file]', 'the file (default: seine.yaml here)')
    .action(async (file: string | undefined) => {
      const { untrustConfig } = await import('../config/trust-config.ts');
      untrustConfig(file);
    });
}
