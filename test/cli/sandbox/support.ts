import { expect } from 'vitest'
import { type Launched, launch, type Running, start, until } from '../support.ts'

/** What a running sandbox printed, and how to stop it. */
interface SandboxHandle {
  readonly url: string
  readonly apiUrl: string
  readonly testKey: string
  readonly liveKey: string
  readonly secret: string
  /** By Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** A sandbox, in this process or in its own. */
export type RunningSandbox = SandboxHandle & Running

/** Starts `hookproof sandbox` in this process, on a free port, and stores nothing unless the words say so. */
export const startSandbox = (...words: string[]): Promise<RunningSandbox> =>
  ready(start(sandboxArguments(words)))

/** The same with the built command, in its own process. */
export const runSandbox = (...words: string[]): Promise<SandboxHandle & Launched> =>
  ready(launch(sandboxArguments(words)))

function sandboxArguments(words: readonly string[]): string[] {
  const file = words.includes('--file') ? [] : ['--memory']
  const port = words.includes('--port') ? [] : ['--port', '0']
  return ['sandbox', '--json', ...port, ...file, ...words]
}

async function ready<Started extends Running>(running: Started): Promise<SandboxHandle & Started> {
  await printed(running, '\n')
  const printedJson = JSON.parse(running.stdout()) as Record<string, string>
  const { url = '', api_url: apiUrl = '', test_key: testKey = '', live_key: liveKey = '' } = printedJson
  const { signing_secret: secret = '' } = printedJson
  return { ...running, url, apiUrl, testKey, liveKey, secret, stop: () => interrupted(running) }
}

/** A reference receiver, in this process or in its own. */
interface ReceiverHandle {
  readonly url: string
  readonly port: number
  /** Its effects for a payment, for example `fulfilled 25.00 USD`. */
  effects(paymentId: string): Promise<string[]>
}

/** Starts `hookproof receive` in this process, on a free port, with observable effects. */
export const startReceiver = (secret: string, ...words: string[]): Promise<ReceiverHandle & Running> =>
  listening(start(receiverArguments(words), { env: { HOOKPROOF_SECRET: secret } }))

/** The same with the built command, in its own process. */
export const runReceiver = (secret: string, ...words: string[]): Promise<ReceiverHandle & Launched> =>
  listening(launch(receiverArguments(words), { env: { HOOKPROOF_SECRET: secret } }))

function receiverArguments(words: readonly string[]): string[] {
  const port = words.includes('--port') ? [] : ['--port', '0']
  const inbox = words.includes('--inbox') ? [] : ['--inbox', 'memory']
  return ['receive', '--observe', ...port, ...inbox, ...words]
}

/** Waits until a receiver listens. */
export async function listening<Started extends Running>(
  running: Started,
): Promise<ReceiverHandle & Started> {
  await printed(running, '"listening"')
  const [, url = ''] = /"url":"([^"]+)","msg":"listening"/.exec(running.stdout()) ?? []
  return {
    ...running,
    url,
    port: Number(new URL(url).port),
    async effects(paymentId) {
      const answer = await (await fetch(`${url}/observe?payment_id=${paymentId}`)).json()
      const { effects } = answer as { effects: { effect: string; amount: string; currency: string }[] }
      return effects.map(({ effect, amount, currency }) => `${effect} ${amount} ${currency}`)
    },
  }
}

/** Creates a payment by the API, and returns the response. */
export async function createPayment(
  { apiUrl, testKey }: Pick<SandboxHandle, 'apiUrl' | 'testKey'>,
  body: object,
  key = testKey,
): Promise<{ id: string; checkout_url: string }> {
  const response = await fetch(`${apiUrl}/payments`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: '25.00', currency: 'USD', ...body }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; checkout_url: string }
}

/** Stops a command as Ctrl-C does; resolves to its exit code. */
export async function interrupted({ kill, done }: Running): Promise<number | null> {
  kill('SIGINT')
  return (await done).code
}

/** Waits until a command has printed something. */
export async function printed(running: Running, expected: RegExp | string): Promise<void> {
  await until(() => {
    const text = running.stdout()
    if (typeof expected === 'string' ? text.includes(expected) : expected.test(text)) return true
    if (running.hasEnded()) throw new Error(`it ended: ${running.stderr()}`)
    return false
  })
}

export { printed as said }
