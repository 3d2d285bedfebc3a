/** Runs a command line and returns the exit code. Data goes to stdout, everything else to stderr. */
import { CommanderError } from 'commander';
import { describeError, EXIT, exitCodeOf } from './exit-code.ts';
import { guardTerminal } from './output/terminal-guard.ts';
import { detectTerminalStyle } from './output/terminal-style.ts';
import { buildProgram } from './program.ts';
import { standardOutput } from './standard-output.ts';

export async function runCli(words: readonly string[]): Promise<number> {
  guardTerminal(process.stdout, process.stdout.isTTY === true);
  guardTerminal(process.stderr);
  standardOutput.watch();
  process.stderr.on('error', () => {}); // there is no other channel to report it on
  const code = await runCommand(words);
  const failure = await standardOutput.failure();
  return failure === null ? code : await printError(failure, words);
}

async function runCommand(words: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (standardOutput.caused(error)) return code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    return await printError(error, words);
  }
}

/** Masked: an error message may contain a file name, and the file name a sensitive value. */
async function printError(error: unknown, words: readonly string[]): Promise<number> {
  const verbose = words.includes('--verbose');
  const text = describeError(error, detectTerminalStyle(process.stderr, process.env), verbose);
  const { NameMasker } = await import('../scans/names/name-masker.ts');
  process.stderr.write(new NameMasker(Buffer.alloc(0)).message(text));
  return exitCodeOf(error);
}
