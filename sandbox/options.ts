import {
  type Ack,
  type Chaos,
  parseRoute,
  type Route,
  readChaos,
  SCHEDULES,
  type ScheduleName,
} from './deliveries/index.ts'
import { SandboxError } from './errors.ts'
import { validateOptions } from './option-kinds.ts'

/** How a sandbox is made; all of it may be left out. */
export interface SandboxOptions {
  /** 0, the default, takes a free one. */
  port?: number
  /** An address of this machine; by default only this machine itself gets to it, since it has no passwords. */
  host?: string
  /** The file that keeps everything, in a folder that exists. Without it everything goes with the process. */
  file?: string
  /** Where the keys and secrets of the first organisations come from; by default a random one, kept in the file. */
  seed?: string
  /** As on the command line: `https://shop.example/=http://localhost:3000/`. Interface 8 and `--route`. */
  routes?: readonly string[]
  /** When failed deliveries are tried again: a name, or the waits in milliseconds. */
  schedule?: ScheduleName | readonly number[]
  /** `2xx`, the default, takes any success and flags those that are not 200; `strict` takes 200 only. */
  ack?: Ack
  /** Turns away requests whose User-Agent is missing or looks automated. Interface 5.2. */
  botProtection?: boolean
  /** What goes wrong with every delivery. */
  chaos?: Chaos
  /** Real time in milliseconds. */
  clock?: () => number
  /** Told of what no request should be able to cause. */
  onFailure?: (error: unknown) => void
}

/** The same, checked and complete. */
export interface Settled {
  port: number
  host: string
  file: string
  seed: string | undefined
  routes: readonly Route[]
  schedule: readonly number[]
  ack: Ack
  botProtection: boolean
  chaos: Chaos | undefined
  clock: () => number
  onFailure: (error: unknown) => void
}

/**
 * Checks the options, once.
 * @throws SandboxError, RouteError or ChaosError for one that makes no sense
 */
export function settled(options: SandboxOptions): Settled {
  validateOptions(options)
  const {
    port = 0,
    host = '127.0.0.1',
    file = ':memory:',
    seed,
    routes = [],
    schedule = 'fast',
    ack = '2xx',
  } = options
  const { botProtection = false, chaos, clock = Date.now, onFailure = () => {} } = options
  if (seed === '')
    throw new SandboxError('bad_option', 'the seed is empty: give it some text, or leave it out.')
  return {
    port,
    host,
    file,
    seed,
    ack,
    botProtection,
    clock,
    onFailure,
    routes: routes.map(parseRoute),
    schedule: typeof schedule === 'string' ? SCHEDULES[schedule] : schedule,
    chaos: chaos === undefined ? undefined : readChaos(chaos),
  }
}
