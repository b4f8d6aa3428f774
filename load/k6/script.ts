import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { ID_CHARACTERS, type Template, templatesOf } from '../request.ts'

const templates = new Eta({
  views: fileURLToPath(new URL('.', import.meta.url)),
  autoEscape: false,
  autoTrim: false,
})

/** What a k6 script does unless its environment variables change it. */
export interface K6Options {
  readonly version: string
  readonly url: URL
  readonly signatureHeader: string
  /** Deliveries per second. */
  readonly rate: number
  readonly durationMs: number
  /** The maximum number of deliveries in flight. */
  readonly connections: number
  /** How long a response may take, in milliseconds. */
  readonly timeoutMs: number
  readonly seed: string
  /** The deliveries of another service than the payment service, and how it acknowledges and makes keys. */
  readonly service?: {
    readonly templates: readonly Template[]
    readonly acknowledgedBy: readonly [from: number, to: number]
    /** What precedes a secret that states the key in base64. */
    readonly base64After?: string
  }
}

/**
 * Writes a k6 script that sends signed deliveries at a fixed rate. It never contains the signing secret: the script reads
 * HOOKPROOF_SECRET when it runs.
 */
export const k6Script = (options: K6Options): string => templates.render('./load.js.eta', valuesOf(options))

/** Writes a TestRun for k6-operator, which runs the script of `k6Script` on several machines of a Kubernetes cluster. */
export const k6TestRun = (options: K6Options): string =>
  templates.render('./testrun.yaml.eta', valuesOf(options))

/** What the templates insert. Texts are quoted. */
function valuesOf({ url, signatureHeader, durationMs, timeoutMs, seed, service, ...same }: K6Options) {
  const templates = templatesOf({ secret: '', signatureHeader, seed, templates: service?.templates })
  const [from, to] = service?.acknowledgedBy ?? [200, 200]
  const { signed = [], digest } = templates[0] ?? {}
  return {
    ...same,
    url: JSON.stringify(url.href),
    duration: JSON.stringify(`${durationMs / 1000}s`),
    timeout: JSON.stringify(`${timeoutMs}ms`),
    deliveries: JSON.stringify(templates.map(deliveryOf), null, 2),
    idCharacters: JSON.stringify(ID_CHARACTERS),
    acknowledgedBy: `[${from}, ${to}]`,
    answered: from === to ? `answered with ${from}` : `answered with a status from ${from} to ${to}`,
    signed: `\`${signed.map(partOf).join('')}\``,
    isIdSigned: signed.includes('id'),
    digest,
    base64After: service?.base64After === undefined ? undefined : JSON.stringify(service.base64After),
  }
}

/** A delivery as the script has it: without its time and its signature, which are made when it is sent. */
function deliveryOf({ lines, body, ids, signature, t, id, timestamp = '' }: Template) {
  const open = (value: string) =>
    (t === '' ? value : value.replaceAll(t, '{time}')).replaceAll(signature, '{signature}')
  return {
    headers: Object.fromEntries(lines.map(([name, value]) => [name, open(value)])),
    body: body.toString(),
    ids: Object.fromEntries(ids.map(({ text, from }) => [text, from])),
    id,
    timestamp,
  }
}

/** A part of what is signed, inside a template literal. */
function partOf(part: Template['signed'][number]): string {
  if (typeof part === 'string') return { time: '${t}', body: '${body}', id: '${ownId}' }[part]
  return part.text.replaceAll(/[`$\\]/g, '\\$&')
}
