import { createKit } from '../../conformance/contracts/payment-service/kit.ts'
import type { Delivery } from '../../conformance/contracts/webhook/delivery.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../conformance/contracts/webhook/target.ts'
import type { Step } from '../../conformance/engine/plan.ts'
import { headerLines } from '../../conformance/engine/wire/request.ts'

/** The endpoint of the samples. */
const TARGET = createTarget({
  url: new URL('http://localhost:3000/webhooks'),
  secret: '',
  signatureHeader: 'X-Service-Signature',
  headers: [],
  timeoutMs: 0,
})

/** How much of a body a sample shows, in bytes. */
const SHOWN_BYTES = 1_500
/** How many chunks a sample shows. */
const SHOWN_CHUNKS = 4

/** A request as it is sent, as a block of Markdown: text where its bytes are text, else as a hex dump. */
function requestBlock(delivery: Delivery): string {
  const version = delivery.transport?.kind === 'raw' ? delivery.transport.version : '1.1'
  const path = delivery.route?.(TARGET.url.pathname) ?? TARGET.url.pathname
  const head = [
    `${delivery.method} ${path} HTTP/${version}`,
    ...headerLines(delivery, TARGET).map(([name, value]) => `${name}: ${visible(value)}`),
  ]
  const text = bodyText(delivery)
  return `\`\`\`\`http\n${[...head, '', text].join('\n').trimEnd()}\n\`\`\`\`${note(delivery)}`
}

function bodyText({ body, transport }: Delivery): string {
  if (transport?.kind === 'chunked') return chunks(body, transport.cuts)
  const sent = transport?.kind === 'truncated' ? body.subarray(0, transport.after) : body
  return shown(sent)
}

function shown(bytes: Buffer): string {
  const part = bytes.subarray(0, SHOWN_BYTES)
  const text = textOf(part)
  const rest = bytes.length > part.length ? `\n[${bytes.length - part.length} more bytes]` : ''
  return `${text ?? hexDump(part.subarray(0, 640), part.length)}${rest}`
}

function chunks(body: Buffer, cuts: readonly number[]): string {
  const edges = [0, ...cuts.filter((cut) => cut > 0 && cut < body.length), body.length]
  const parts = edges.slice(1).map((end, index) => body.subarray(edges[index] ?? 0, end))
  const lines = parts
    .slice(0, SHOWN_CHUNKS)
    .flatMap((part) => [part.length.toString(16), textOf(part) ?? hexDump(part, part.length)])
  const rest = parts.length - SHOWN_CHUNKS
  return [...lines, ...(rest > 0 ? [`[${rest} more chunks]`] : []), '0'].join('\n')
}

/** Strictly decoded text that a page can show, or undefined. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
    // Control characters, separators and a byte-order mark would be invisible.
    return /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function hexDump(bytes: Buffer, length: number): string {
  const rows: string[] = []
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16)
    const hex = row.toString('hex').replace(/../g, '$& ').padEnd(49)
    const text = row.toString('latin1').replace(/[^\x20-\x7e]/g, '.')
    rows.push(`${at.toString(16).padStart(4, '0')}  ${hex} ${text}`)
  }
  return [...rows, ...(length > bytes.length ? [`[${length - bytes.length} more bytes]`] : [])].join('\n')
}

/** A header value in which every byte is visible. A long one is cut. */
function visible(value: string): string {
  const text = value.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return text.length > 300 ? `${text.slice(0, 300)}[${text.length - 300} more characters]` : text
}

/** How the request is sent, where the text does not show it. */
function note({ transport, body }: Delivery): string {
  switch (transport?.kind) {
    case 'drip':
      return `\n\nThe body arrives in ${transport.pieces} pieces, ${transport.gapMs} ms apart.`
    case 'truncated':
      return `\n\nThe connection breaks after ${transport.after} of ${body.length} bytes of the body.`
    case 'expect-continue':
      return '\n\nThe body follows when the receiver has answered `100 Continue`, or after 500 ms.'
    case 'chunked':
      return '\n\nEach chunk is sent on its own, 1 ms after the one before; sizes are hexadecimal.'
    case 'raw':
    case undefined:
      return ''
  }
}

/** The secret that signs the samples. */
export const SECRET = 'whsec_c2FtcGxlIHNlY3JldCBvZiB0aGUgc2l0ZQ'
/** The time of the samples in Unix seconds: 1 January 2026. */
export const NOW = 1_767_225_600

/** How many different requests of one case a page shows. */
const SHOWN = 4

const ORDERS: Readonly<Partial<Record<Step['how'], string>>> = {
  together: 'all at once',
  'few-at-once': 'a few at once',
  'one-connection': 'on one connection',
  'separate-connections': 'each on a new connection',
  pipelined: 'on one connection, before any response',
  held: 'while other connections stay open, unfinished',
}

interface Sample {
  readonly delivery: Delivery
  readonly how: Step['how']
  times: number
}

/** What a case sends, as Markdown: each different request once, with the same seed, secret and time in every build. */
export function samplesOf(testCase: CatalogueCase): { text: string; hasControl: boolean } {
  const kit = createKit(testCase.id, {
    secret: SECRET,
    seed: 'site',
    mode: testCase.mode ?? 'test',
    now: () => NOW,
  })
  const plan = testCase.send(kit)
  const samples = new Map<string, Sample>()
  for (const { how, deliveries } of plan) {
    for (const delivery of deliveries) {
      const key = [delivery.role, delivery.change, delivery.event, delivery.method].join('\n')
      const known = samples.get(key)
      if (known === undefined) samples.set(key, { delivery, how, times: 1 })
      else known.times += 1
    }
  }
  const all = [...samples.values()]
  const blocks = all.slice(0, SHOWN).map((sample) => `${titleOf(sample)}\n\n${requestBlock(sample.delivery)}`)
  const rest = all.slice(SHOWN).map((sample) => `- ${titleOf(sample).replace(/^### /, '')}`)
  const waits = plan.flatMap((step) =>
    step.how === 'until-acknowledged' ? [`It also sends other payments, ${step.count} in total.`] : [],
  )
  const text = [...blocks, ...(rest.length === 0 ? [] : ['### And also', rest.join('\n')]), ...waits]
  return { text: text.join('\n\n'), hasControl: all.some(({ delivery }) => delivery.role === 'control') }
}

function titleOf({ delivery, how, times }: Sample): string {
  const { event, change, role, method } = delivery
  const what = `${method === 'POST' ? '' : `${method} `}${event === undefined ? 'a body' : `\`${event}\``}`
  const kind = role === 'control' ? 'the valid control, ' : ''
  const order = ORDERS[how]
  const details = [
    ...(times > 1 ? [`${times} times`] : []),
    ...(order !== undefined && times > 1 ? [order] : []),
  ]
  const title = `${kind}${what}${change === undefined ? '' : ` with ${change}`}`
  return `### ${title.charAt(0).toUpperCase()}${title.slice(1)}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
}
