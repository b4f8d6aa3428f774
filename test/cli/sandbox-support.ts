import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { launch, type Running, until } from './support.ts'

/** A sandbox that the built command runs. */
export interface RunningSandbox extends Running {
  readonly url: string
  readonly apiUrl: string
  readonly testKey: string
  readonly liveKey: string
  readonly secret: string
  /** By Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Starts `hookproof sandbox` on a free port, with nothing kept unless the words say so. */
export async function runSandbox(...words: string[]): Promise<RunningSandbox> {
  const kept = words.includes('--file') ? [] : ['--memory']
  const port = words.includes('--port') ? [] : ['--port', '0']
  const running = launch(['sandbox', '--json', ...port, ...kept, ...words])
  const line = await firstLine(running)
  const told = JSON.parse(line) as Record<string, string>
  const { url = '', api_url: apiUrl = '', test_key: testKey = '', live_key: liveKey = '' } = told
  const { signing_secret: secret = '' } = told
  return { ...running, url, apiUrl, testKey, liveKey, secret, stop: () => interrupted(running) }
}

/** The reference receiver, in a process of its own. */
export interface RunningReceiver extends Running {
  readonly port: number
  /** What it did for a payment, such as `fulfilled 25.00 USD`. */
  effects(paymentId: string): Promise<string[]>
}

/** Starts `hookproof receive` on a free port, with its effects to be seen. */
export async function runReceiver(secret: string, ...words: string[]): Promise<RunningReceiver> {
  const port = words.includes('--port') ? [] : ['--port', '0']
  const inbox = words.includes('--inbox') ? [] : ['--inbox', 'memory']
  const env = { HOOKPROOF_SECRET: secret }
  const running = launch(['receive', '--observe', ...port, ...inbox, ...words], { env })
  const [, url = ''] = /"url":"([^"]+)","msg":"listening"/.exec(await firstLine(running, /listening/)) ?? []
  return {
    ...running,
    port: Number(new URL(url).port),
    async effects(paymentId) {
      const answer = await (await fetch(`${url}/observe?payment_id=${paymentId}`)).json()
      const { effects } = answer as { effects: { effect: string; amount: string; currency: string }[] }
      return effects.map(({ effect, amount, currency }) => `${effect} ${amount} ${currency}`)
    },
  }
}

/** Creates a payment by the API, and returns what it answers. */
export async function createPayment(
  { apiUrl, testKey }: RunningSandbox,
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
export async function interrupted({ child, done }: Running): Promise<number | null> {
  child.kill('SIGINT')
  return (await done).code
}

/** Waits until a command has printed something. */
export async function said(running: Running, what: RegExp | string): Promise<void> {
  await until(() => {
    if (running.child.exitCode !== null) throw new Error(`it ended: ${running.stderr()}`)
    const text = running.stdout()
    return typeof what === 'string' ? text.includes(what) : what.test(text)
  })
}

async function firstLine({ child, done }: Running, wanted = /./): Promise<string> {
  if (child.stdout === null) throw new Error('its output is not read')
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (text) => {
      if (wanted.test(text)) resolve(text)
    })
    void done.then(({ stderr }) => reject(new Error(`it did not start: ${stderr}`)))
  })
  return line
}
