/** From the command line's words to an exit code. Data goes to stdout, everything else to stderr. */
import { CommanderError } from 'commander';
import { describeError, EXIT, exitCodeOf } from './exit-code.ts';
import { lookOf } from './output/look.ts';
import { buildProgram } from './program.ts';

export async function runCli(words: readonly string[]): Promise<number> {
  dieQuietlyWhenNobodyReads();
  let code: number = EXIT.done;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const verbose = words.includes('--verbose');
    process.stderr.write(describeError(error, lookOf(process.stderr, process.env), verbose));
    return exitCodeOf(error);
  }
}

/** `seine findings | head` is no error. */
function dieQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
}
