import { type Command, Option } from 'commander'
import { FRAMEWORKS } from '../../../conformance/report/snippets.ts'
import type { RunCommand } from '../../shared/exit.ts'
import {
  envFileOption,
  headerOption,
  repeated,
  secretFileOption,
  secretOption,
  serviceOption,
  signatureHeaderOption,
} from '../../shared/options.ts'

/** Adds `hookproof verify`. */
export function addVerifyCommand(program: Command, run: RunCommand): void {
  program
    .command('verify')
    .summary('verify a signature')
    .description('Verify a signature header against the exact bytes of a file or of standard input.')
    .argument(
      '<header>',
      'value of the signature header, all header lines, a curl command, or the entire request',
    )
    .argument(
      '[file]',
      'file with the exact body, or - for standard input (default: the body of the request or the command, or -)',
    )
    .addOption(serviceOption('whose webhook it is'))
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(envFileOption())
    .addOption(headerOption('another header line of the delivery, where the id or the time has its own'))
    .addOption(signatureHeaderOption(' (default: that of the service)'))
    .option(
      '--also <name>',
      'variable or file with the secret of another endpoint that may have signed; repeatable',
      repeated,
    )
    .addOption(
      new Option(
        '--framework <name>',
        "the receiver's framework, for code that verifies the raw body where that would help",
      ).choices(FRAMEWORKS),
    )
    .option('--at <t>', 'time to verify at, Unix time in seconds (default: now)')
    .option(
      '--tolerance <seconds>',
      'how far the signed time may differ from the time of verification, in seconds (default: 300)',
    )
    .addHelpText(
      'after',
      '\nFor a refused delivery, it prints why the signature does not match, what to do, and the bytes that differ.\nFor a valid one: what to compare with a receiver that refuses it.',
    )
    .addHelpText('after', '\nExit codes: 0 valid; 1 invalid; 2 the body could not be read.')
    .action((header, file, options) =>
      run(async (io) => (await import('./verify.ts')).verifyBody(header, file, options, io)),
    )
}
