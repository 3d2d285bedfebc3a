import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';

export function doctorCommand(exit: SetExitCode): Command {
  const command = new Command('doctor').description('check the requirements of Seine on this machine');
  return withCommonOptions(command).action(async (flags: CommonFlags) => {
    const { runDoctor } = await import('../run-doctor.ts');
    exit(await runDoctor(flags));
  });
}
