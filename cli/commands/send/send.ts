import { randomBytes } from 'node:crypto'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import { createDisclosures } from '../../../conformance/contracts/webhook/disclosures.ts'
import { judge } from '../../../conformance/contracts/webhook/judge.ts'
import { type KitOptions, withNonce } from '../../../conformance/contracts/webhook/kit.ts'
import type { Exchange, Mode, Plan, Problem } from '../../../conformance/contracts/webhook/model.ts'
import { createTarget, type Target } from '../../../conformance/contracts/webhook/target.ts'
import type { Delivery as Sendable } from '../../../conformance/engine/delivery.ts'
import { isAcknowledged } from '../../../conformance/engine/exchange.ts'
import { inTurn } from '../../../conformance/engine/plan.ts'
import { perform } from '../../../conformance/engine/run/sending.ts'
import type { Target as Reachable } from '../../../conformance/engine/target.ts'
import { headerLines } from '../../../conformance/engine/wire/request.ts'
import { createSender, type Sender } from '../../../conformance/engine/wire/sender.ts'
import { httpUrl } from '../../../conformance/http-url.ts'
import { contractOf } from '../../../conformance/options.ts'
import { ownTextHider, ownTextRedactor, redactor } from '../../../conformance/report/redact.ts'
import { printable } from '../../../conformance/report/text.ts'
import { harnessError, wireText } from '../../../conformance/report/words/failures.ts'
import { expectedText, receivedText as problemText } from '../../../conformance/report/words/findings.ts'
import type { Scenario } from '../../../fixtures/index.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import type { SecretOptions } from '../../shared/secret.ts'
import { namedService, readKeySecret, type ServiceOptions } from '../../shared/service.ts'
import { readTrust, type TrustOptions } from '../../shared/trust.ts'

/** The options of `hookproof send`; the time is in milliseconds. */
export interface SendCommandOptions extends SecretOptions, ServiceOptions, TrustOptions {
  readonly signatureHeader?: string
  readonly header?: readonly (readonly [string, string])[]
  readonly seed?: string
  readonly timeout?: number
  readonly mode: Mode
  /** List the events, and send nothing. */
  readonly list?: true
  /** Sign the captured delivery now. */
  readonly sign?: true
  /** Print a test that sends the captured delivery, and send nothing. */
  readonly test?: 'vitest' | 'node'
}

/** The samples of the payment service by the name of the event, where it has several of one. */
const EVENTS: Readonly<Record<string, Scenario>> = {
  'payment.completed': 'completed',
  'payment.failed': 'failed-card_declined',
  'payment.partial': 'partial-crypto',
  'payment.refunded': 'refund',
  'payment.expired': 'expired-gift-card',
}

/** `hookproof send`: sends one event or the deliveries of one case, signed now, and shows the responses. */
export async function send(
  name: string | undefined,
  url: string | undefined,
  options: SendCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const unused = (['sign', 'test'] as const).find((option) => options[option] !== undefined)
  if (unused !== undefined)
    throw new UsageError(`--${unused} needs --capture: add it, or leave --${unused} out`)
  const contract = await contractOf(await namedService(options, io))
  if (options.list === true) return list(contract, io)
  if (name === undefined || url === undefined) {
    throw new UsageError(
      'pass an event or a case, and the URL of the receiver: `hookproof send --list` lists the events',
    )
  }
  const { signatureHeader = contract.signatureHeader, timeout: timeoutMs = 10_000, mode } = options
  const testCase = contract.cases.find(({ id }) => id === name)
  const sample = testCase === undefined ? sampleNamed(contract, name) : undefined
  if (testCase === undefined && sample === undefined) {
    const events = eventsOf(contract).flatMap(([one, event]) => [one, event])
    const names = [...contract.cases.map(({ id }) => id), ...new Set(events)]
    throw notFound('event or case', name, names, '`hookproof send --list` lists the events')
  }
  const { secret } = await readKeySecret(contract, options, io)
  const target = createTarget({
    url: httpUrl(url),
    secret,
    signatureHeader,
    isHeaderRenamed: signatureHeader !== contract.signatureHeader,
    headers: options.header ?? [],
    timeoutMs,
    trust: await readTrust(options, io),
  })
  const seed = options.seed ?? randomBytes(4).toString('hex')
  const now = () => Math.floor(Date.now() / 1000)
  // A receiver that has seen the events of a case would take them for redeliveries. An event is sent again as it was.
  const kit = { secret, seed: testCase === undefined ? seed : withNonce(seed), mode, now }
  const plan =
    testCase?.send(contract.createKit(name, kit)) ?? inTurn(...deliveryOf(contract, name, sample, kit))

  const exchanges = await sendAll(plan, createSender(target), target)
  const redact = ownTextRedactor(secret)
  // The person who sends has the secret, and compares the signature with what the receiver computed.
  const hide = ownTextHider(secret)
  for (const exchange of exchanges) {
    io.stdout.write(`${hide(sentText(exchange, target))}\n${receivedText(exchange, redactor(secret))}\n\n`)
  }
  if (exchanges.every(({ answer, error }) => answer === undefined && error !== undefined)) {
    const [{ error } = { error: undefined }] = exchanges
    throw harnessError({ code: 'unreachable', of: 'receiver', address: target.url.href, error })
  }
  if (testCase === undefined) return exchanges.every(isAcknowledged) ? EXIT.ok : EXIT.failed
  const disclosing = disclosingIn(contract, exchanges, { secret, caseId: testCase.id })
  const writeProblems = (problems: readonly Problem[]): void => {
    for (const problem of problems) {
      const [expected, received] = [expectedText(problem.expected), redact(printable(problemText(problem)))]
      io.stdout.write(`Expected: ${expected}. Received: ${received}.\n`)
    }
  }
  const writeDisclosed = (): ExitCode => {
    for (const { id, problems } of disclosing) {
      writeProblems(problems)
      io.stdout.write(`${id}: failed\n`)
    }
    return disclosing.length > 0 ? EXIT.failed : EXIT.ok
  }
  if (testCase.needs === 'effects') {
    const of = options.service === undefined ? '' : ` --service ${contract.id}`
    const command = `npx hookproof check <url>${of} --only ${testCase.id} --observe <url>`
    io.stdout.write(inProject(`This case is graded by the effects: run \`${command}\` for a verdict.\n`, io))
    return writeDisclosed()
  }
  const { outcome, problems } = judge(
    testCase,
    { exchanges, effects: () => [], secrets: [secret], ackWithinMs: timeoutMs },
    0,
  )
  writeProblems(problems)
  io.stdout.write(`${testCase.id}: ${outcome}\n`)
  return outcome === 'failed' ? EXIT.failed : writeDisclosed()
}

/** The cases that judge every response of a run, and fail by those of this case: any case may show what they find. */
function disclosingIn(
  { cases }: WebhookContract,
  exchanges: readonly Exchange[],
  { secret, caseId }: { readonly secret: string; readonly caseId: string },
) {
  const disclosures = createDisclosures(secret)
  disclosures.see(exchanges, caseId)
  const run = { wrongLater: [], lost: [], disclosed: disclosures.found() }
  const evidence = { exchanges: [], effects: () => [], secrets: [secret], ackWithinMs: 0, run }
  return cases
    .filter(({ late, needs }) => late !== undefined && needs === undefined)
    .map((testCase) => ({ id: testCase.id, problems: judge(testCase, evidence, 0).problems }))
    .filter(({ problems }) => problems.length > 0)
}

/** The samples of a service, each with the name of its event. */
function eventsOf({ samples, sample }: WebhookContract): (readonly [name: string, event: string])[] {
  const options = { secret: 'list', seed: 'list', mode: 'test', now: () => 0 } as const
  return samples.map((name) => [name, sample(name, options)?.event ?? ''] as const)
}

/** The sample with this name, or the first one of this event. */
function sampleNamed(contract: WebhookContract, name: string): string | undefined {
  if (contract.samples.includes(name)) return name
  if (contract.id === 'payment-service') return EVENTS[name]
  return eventsOf(contract).find(([, event]) => event === name)?.[0]
}

/** The delivery of a sample; the name that was asked for is that of its kit. */
function deliveryOf(
  { sample: make }: WebhookContract,
  name: string,
  sample: string | undefined,
  options: KitOptions,
): Delivery[] {
  const made = sample === undefined ? undefined : make(sample, options, name)
  return made === undefined ? [] : [made]
}

/** Prints the events that can be sent. */
function list(contract: WebhookContract, { stdout }: Io): ExitCode {
  const rows = eventsOf(contract)
  const width = Math.max(...rows.map(([name]) => name.length))
  stdout.write(rows.map(([name, event]) => `${name.padEnd(width)}  ${event}`.trimEnd() + '\n').join(''))
  return EXIT.ok
}

async function sendAll(plan: Plan, sender: Sender, target: Target): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  try {
    for (const step of plan) exchanges.push(...((await perform(step, sender, target)) as Exchange[]))
  } finally {
    sender.close()
  }
  return exchanges
}

function sentText({ delivery }: Exchange, target: Target): string {
  const hidden = new Set(target.headers.map(([name]) => name))
  const title = delivery.change ?? 'valid delivery'
  return `# ${title}\n${requestText(delivery, target, (name) => hidden.has(name))}`
}

/** A request as it is printed. @param hides whether the value of a header is not shown */
export function requestText(delivery: Sendable, target: Reachable, hides: (name: string) => boolean): string {
  const path = target.url.pathname
  const body = delivery.body.length > 2000 ? `(${delivery.body.length} bytes)` : delivery.body.toString()
  const lines = headerLines(delivery, target).map(
    ([name, value]) => `> ${name}: ${hides(name) ? '[not shown]' : printable(value)}`,
  )
  return [
    `> ${delivery.method} ${printable(delivery.route?.(path) ?? path)}`,
    ...lines,
    '>',
    ...body.split('\n').map((line) => `> ${printable(line)}`),
  ].join('\n')
}

/** A response as it is printed, or why there is none. */
export function receivedText(
  { answer, error }: Pick<Exchange, 'answer' | 'error'>,
  redact: (text: string) => string,
): string {
  if (answer === undefined)
    return `< ${error === undefined ? 'connection closed, as planned by the case' : wireText(error)}`
  // Redacted before it is cut: half a secret would not be found.
  const lines = redact(answer.body.toString()).slice(0, 2000).split('\n')
  return [
    `< ${answer.status} in ${Math.round(answer.ms)} ms`,
    ...lines.map((line) => `< ${printable(line)}`),
  ].join('\n')
}
