import type { ReproduceWith } from '../../../conformance/report/reproduce.ts'
import type { CheckCommandOptions } from './options.ts'

/**
 * What a command to reproduce a failure repeats of this one: the options that decide what the receiver is sent and how it is
 * observed. Those of a config file are read again.
 *
 * @param given the options of the command line
 * @param merged these and the options of the config file
 */
export function reproduceWith(
  given: CheckCommandOptions,
  merged: Pick<CheckCommandOptions, 'start'>,
): ReproduceWith {
  const shared = [
    ...option('--secret-file', given.secretFile),
    ...option('--ca', given.ca),
    ...(given.insecure === true ? ['--insecure'] : []),
    ...seconds('--timeout', given.timeout),
  ]
  return {
    start: merged.start !== undefined,
    send: shared,
    check: [
      ...(given.config === false ? ['--no-config'] : option('--config', given.config)),
      ...option('--start', given.start),
      ...option('--observe', given.observe),
      ...option('--observe-command', given.observeCommand),
      ...shared,
      ...seconds('--ack-within', given.ackWithin),
      ...seconds('--wait', given.wait),
    ],
  }
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

function seconds(name: string, ms: number | undefined): string[] {
  return ms === undefined ? [] : [name, String(ms / 1000)]
}
