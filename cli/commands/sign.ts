import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { WebhookContract } from '../../conformance/contracts/webhook/contract.ts'
import type { Delivery } from '../../conformance/contracts/webhook/delivery.ts'
import { createTarget } from '../../conformance/contracts/webhook/target.ts'
import { contractOf } from '../../conformance/options.ts'
import { sign } from '../../fixtures/sign.ts'
import { EXIT, type ExitCode, type RunCommand } from '../shared/exit.ts'
import type { Io } from '../shared/io.ts'
import {
  envFileOption,
  secretFileOption,
  secretOption,
  serviceOption,
  signatureHeaderOption,
} from '../shared/options.ts'
import { readBytes, unixTime } from '../shared/read-file.ts'
import { readSecret, type SecretOptions } from '../shared/secret.ts'
import { namedService, readKeySecret, type ServiceOptions, unusedOption } from '../shared/service.ts'

/** The options of `hookproof sign`. */
interface SignCommandOptions extends SecretOptions, ServiceOptions {
  readonly signatureHeader?: string
  readonly at?: string
  readonly id?: string
  readonly event?: string
}

const EXAMPLE = `
With --service it prints every header line that the service sends with this body, which curl can read:
  hookproof sign body.json --service stripe | curl -H @- --data-binary @body.json http://localhost:3000/webhooks`

/** Adds `hookproof sign`. */
export function addSignCommand(program: Command, run: RunCommand): void {
  program
    .command('sign')
    .summary('sign a body')
    .description(
      'Print the value of the signature header for the exact bytes of a file or of standard input; with --service, all header lines.',
    )
    .argument('[file]', 'file with the exact body, or - for standard input', '-')
    .addOption(serviceOption('whose webhook it is'))
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(envFileOption())
    .addOption(signatureHeaderOption(' (default: that of the service)'))
    .option('--at <t>', 'time of signing, Unix time in seconds (default: now)')
    .option('--id <id>', 'id of the delivery, where the service signs one (default: random)')
    .option('--event <name>', 'event, where a header names it (default: the first sample event)')
    .addHelpText('after', EXAMPLE)
    .action((file, options) => run((io) => signBody(file, options, io)))
}

/** `hookproof sign`: prints the signature header for the exact bytes of a body. */
async function signBody(file: string, options: SignCommandOptions, io: Io): Promise<ExitCode> {
  const t = unixTime(options.at)
  const service = await namedService(options, io)
  const contract = await contractOf(service)
  const unused = unusedOf(contract, options)
  if (unused !== undefined) throw unused
  if (service === undefined) {
    const lines = (['event', 'signatureHeader'] as const).find((name) => options[name] !== undefined)
    if (lines !== undefined)
      throw unusedOption(lines, 'is of header lines, and only the value is printed without --service')
    const secret = await readSecret(options, io)
    io.stdout.write(`${sign({ secret, t, body: await readBytes(file, io) }).header}\n`)
    return EXIT.ok
  }
  const { secret } = await readKeySecret(contract, options, io)
  const delivery = signed(contract, await readBytes(file, io), { ...options, secret, t })
  if (options.event !== undefined && !delivery.headers.some(([, value]) => value === options.event)) {
    throw unusedOption('event', `has no use for ${contract.title}, where no header names the event`)
  }
  const { signatureHeader = contract.signatureHeader } = options
  // Only the header lines of this target are used.
  const { linesOf } = createTarget({
    url: new URL('http://localhost'),
    secret,
    signatureHeader,
    headers: [],
    timeoutMs: 1,
    trust: {},
  })
  io.stdout.write(
    linesOf(delivery)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
  return EXIT.ok
}

/** An option that is given and has no use for this service. */
function unusedOf({ scheme, title }: WebhookContract, { at, id }: SignCommandOptions) {
  if (at !== undefined && !scheme.signed.includes('time'))
    return unusedOption('at', `has no use for ${title}, which signs no time`)
  return id !== undefined && !scheme.signed.includes('id')
    ? unusedOption('id', `has no use for ${title}, which signs no id`)
    : undefined
}

/** A delivery of this body as the service sends it. */
function signed(
  { createKit }: WebhookContract,
  body: Buffer,
  { secret, t, id, event }: SignCommandOptions & { readonly secret: string; readonly t: number },
): Delivery {
  const kit = createKit('sign', { secret, seed: randomUUID(), mode: 'test', now: () => t })
  const delivery = kit.body(body, { key: randomUUID(), ...(event !== undefined && { event }) })
  return id === undefined
    ? delivery
    : kit.redelivery({ ...delivery, signed: { ...delivery.signed, id } }, { body, t })
}
