import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { ID_CHARACTERS, loadEvents } from '../request.ts'

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
}

/**
 * Writes a k6 script that sends signed deliveries at a fixed rate (SPEC.md 1 and 8). It never contains the signing secret:
 * the script reads HOOKPROOF_SECRET when it runs.
 */
export const k6Script = (options: K6Options): string => templates.render('./load.js.eta', valuesOf(options))

/** Writes a TestRun for k6-operator, which runs the script of `k6Script` on several machines of a Kubernetes cluster. */
export const k6TestRun = (options: K6Options): string =>
  templates.render('./testrun.yaml.eta', valuesOf(options))

/** What the templates insert. Texts are quoted. */
const valuesOf = ({ url, signatureHeader, durationMs, timeoutMs, seed, ...same }: K6Options) => ({
  ...same,
  url: JSON.stringify(url.href),
  signatureHeader: JSON.stringify(signatureHeader),
  duration: JSON.stringify(`${durationMs / 1000}s`),
  timeout: JSON.stringify(`${timeoutMs}ms`),
  events: JSON.stringify(loadEvents(seed), null, 2),
  idCharacters: JSON.stringify(ID_CHARACTERS),
})
