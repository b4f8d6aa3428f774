import { randomBytes } from 'node:crypto'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { judge } from '../../../conformance/contracts/webhook/judge.ts'
import { withNonce } from '../../../conformance/contracts/webhook/kit.ts'
import type { Exchange, Mode, Plan } from '../../../conformance/contracts/webhook/model.ts'
import { createTarget, type Target } from '../../../conformance/contracts/webhook/target.ts'
import { inTurn } from '../../../conformance/engine/plan.ts'
import { perform } from '../../../conformance/engine/run/sending.ts'
import { headerLines } from '../../../conformance/engine/wire/request.ts'
import { createSender, type Sender } from '../../../conformance/engine/wire/sender.ts'
import { httpUrl } from '../../../conformance/http-url.ts'
import { ownTextRedactor, redactor } from '../../../conformance/report/redact.ts'
import { harnessError, wireText } from '../../../conformance/report/words/failures.ts'
import { expectedText, receivedText as problemText } from '../../../conformance/report/words/findings.ts'
import { SCENARIOS, type Scenario } from '../../../fixtures/index.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { findCase, notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { readSecret, type SecretOptions } from '../../shared/secret.ts'
import { readTrust, type TrustOptions } from '../../shared/trust.ts'

/** The options of `hookproof send`; the time is in milliseconds. */
export interface SendCommandOptions extends SecretOptions, TrustOptions {
  readonly signatureHeader: string
  readonly header?: readonly (readonly [string, string])[]
  readonly seed?: string
  readonly timeout?: number
  readonly mode: Mode
}

const EVENTS: Readonly<Record<string, Scenario>> = {
  'payment.completed': 'completed',
  'payment.failed': 'failed-card_declined',
  'payment.partial': 'partial-crypto',
  'payment.refunded': 'refund',
  'payment.expired': 'expired-gift-card',
}

/** `hookproof send`: sends one event or the deliveries of one case, signed now, and shows the responses. */
export async function send(
  name: string,
  url: string,
  options: SendCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const { signatureHeader, timeout: timeoutMs = 10_000, mode } = options
  const testCase = findCase(name)
  const scenario = EVENTS[name] ?? SCENARIOS.find((known) => known === name)
  if (testCase === undefined && scenario === undefined) {
    throw notFound('event or case', name, [
      ...CATALOGUE.map(({ id }) => id),
      ...SCENARIOS,
      ...Object.keys(EVENTS),
    ])
  }
  const secret = await readSecret(options, io)
  const target = createTarget({
    url: httpUrl(url),
    secret,
    signatureHeader,
    headers: options.header ?? [],
    timeoutMs,
    trust: await readTrust(options, io),
  })
  const seed = options.seed ?? randomBytes(4).toString('hex')
  // A receiver that has seen the payments of a case would take them for redeliveries. An event is sent again as it was.
  const runSeed = testCase === undefined ? seed : withNonce(seed)
  const kit = createKit(name, { secret, seed: runSeed, mode, now: () => Math.floor(Date.now() / 1000) })
  const plan = testCase === undefined ? inTurn(kit.delivery(scenario ?? 'completed')) : testCase.send(kit)

  const exchanges = await sendAll(plan, createSender(target), target)
  const redact = ownTextRedactor(secret)
  for (const exchange of exchanges) {
    io.stdout.write(`${redact(sentText(exchange, target))}\n${receivedText(exchange, redactor(secret))}\n\n`)
  }
  if (exchanges.every(({ answer, error }) => answer === undefined && error !== undefined)) {
    const [{ error } = { error: undefined }] = exchanges
    throw harnessError({ code: 'unreachable', of: 'receiver', address: target.url.href, error })
  }
  if (testCase === undefined) return exchanges[0]?.answer?.status === 200 ? EXIT.ok : EXIT.failed
  if (testCase.needs === 'effects') {
    io.stdout.write('This case is graded by the effects: run `hookproof check --observe` for a verdict.\n')
    return EXIT.ok
  }
  const { outcome, problems } = judge(
    testCase,
    { exchanges, effects: () => [], secrets: [secret], ackWithinMs: timeoutMs },
    0,
  )
  for (const problem of problems) {
    const [expected, received] = [expectedText(problem.expected), redact(problemText(problem))]
    io.stdout.write(`Expected: ${expected}. Received: ${received}.\n`)
  }
  io.stdout.write(`${testCase.id}: ${outcome}\n`)
  return outcome === 'failed' ? EXIT.failed : EXIT.ok
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
  const body = delivery.body.length > 2000 ? `(${delivery.body.length} bytes)` : delivery.body.toString()
  const hidden = new Set(target.headers.map(([name]) => name))
  const lines = headerLines(delivery, target).map(
    ([name, value]) => `> ${name}: ${hidden.has(name) ? '[not shown]' : value}`,
  )
  const title = delivery.change ?? 'valid delivery'
  return [
    `# ${title}`,
    `> ${delivery.method} ${target.url.pathname}`,
    ...lines,
    '>',
    ...body.split('\n').map((line) => `> ${line}`),
  ].join('\n')
}

function receivedText({ answer, error }: Exchange, redact: (text: string) => string): string {
  if (answer === undefined)
    return `< ${error === undefined ? 'connection closed, as planned by the case' : wireText(error)}`
  // Redacted before it is cut: half a secret would not be found.
  const lines = redact(answer.body.toString()).slice(0, 2000).split('\n')
  return [`< ${answer.status} in ${Math.round(answer.ms)} ms`, ...lines.map((line) => `< ${line}`)].join('\n')
}
