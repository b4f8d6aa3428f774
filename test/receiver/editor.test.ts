import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'

/** A message of the server: an answer, a notification, or a request of its own, which has a method too. */
type Message = { readonly id?: number | string; readonly method?: string; readonly result?: unknown }
type Request = (method: string, params: object) => Promise<unknown>

/** The language server of TypeScript, which editors use, by JSON-RPC on its standard streams. */
function startLanguageServer(): { request: Request; notify: (method: string, params: object) => void } {
  const server = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // The command runs the server as a child, which ends with its standard input.
  onTestFinished(() => void server.stdin.end())
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const [head, length] =
        /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(received.toString('latin1')) ?? []
      if (head === undefined || received.length < head.length + Number(length)) return
      const end = head.length + Number(length)
      const { id, method, result } = JSON.parse(received.subarray(head.length, end).toString()) as Message
      if (method === undefined && typeof id === 'number') waiting.get(id)?.(result)
      // The server waits for the answers to its own requests.
      else if (id !== undefined) send({ id, result: null })
      received = received.subarray(end)
    }
  })
  const send = (message: object): void => {
    const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    server.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${text.length}\r\n\r\n`), text]))
  }
  const notify = (method: string, params: object): void => send({ method, params })
  const request: Request = (method, params) =>
    new Promise((answered) => {
      const id = waiting.size + 1
      waiting.set(id, answered)
      send({ id, method, params })
    })
  return { request, notify }
}

test('an editor completes the names of events, their fields and their codes, with their descriptions', async () => {
  const { request, notify } = startLanguageServer()
  await request('initialize', { processId: null, rootUri: null, capabilities: {} })
  notify('initialized', {})
  const uri = pathToFileURL(resolve(temporaryFolder(), 'handler.ts')).href
  const lines = [
    `import type { WebhookEvent } from '${resolve('receiver/webhook-event.ts')}'`,
    'export function handle(event: WebhookEvent) {',
    "  if (event.event === '') return",
    "  if (event.event === 'payment.completed') return event.amount_requested",
    "  if (event.event === 'payment.failed') return event.failure_code === ''",
    '}',
  ]
  notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text: lines.join('\n') },
  })
  const after = (line: number, text: string) => ({
    textDocument: { uri },
    position: { line, character: (lines[line] ?? '').lastIndexOf(text) + text.length },
  })
  const completed = async (line: number, text: string): Promise<string[]> => {
    const list = (await request('textDocument/completion', after(line, text))) as {
      items: { label: string }[]
    }
    return list.items.map(({ label }) => label.replace(/\?$/, ''))
  }

  expect((await completed(2, "=== '")).toSorted()).toEqual([
    'payment.completed',
    'payment.expired',
    'payment.failed',
    'payment.partial',
    'payment.refunded',
  ])
  const fields = await completed(3, 'event.')
  expect(fields).toEqual(expect.arrayContaining(['amount', 'amount_requested', 'metadata']))
  expect(fields).not.toContain('failure_code')
  expect(await completed(4, "failure_code === '")).toContain('card_declined')
  expect(await request('textDocument/hover', after(3, 'event.a'))).toMatchObject({
    contents: { value: expect.stringContaining('Fulfill for amount, never for this.') },
  })
})
