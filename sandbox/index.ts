import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createApp } from './app.ts'
import { compose } from './compose.ts'
import type { Context } from './context.ts'
import { type Chaos, readChaos } from './deliveries/index.ts'
import type { Action } from './domain/actions.ts'
import { checkedAction } from './domain/checked-action.ts'
import { BadAction } from './domain/errors.ts'
import { SandboxError } from './errors.ts'
import { listen } from './listen.ts'
import type { Event, Payment } from './model.ts'
import { type SandboxOptions, settled } from './options.ts'
import { originOf } from './origin.ts'
import { type SeededOrganisation, seededOrganisations } from './service/seed.ts'

export { type Chaos, ChaosError, RouteError } from './deliveries/index.ts'
export type { Action } from './domain/actions.ts'
export { BadAction, IllegalTransition } from './domain/errors.ts'
export { SandboxError } from './errors.ts'
export type { SandboxOptions } from './options.ts'
export { NoSuchPayment } from './service/payments.ts'
export type { SeededOrganisation } from './service/seed.ts'
export { StoreError } from './store/database.ts'

/** A payment service of one's own, at work on this machine. */
export interface Sandbox {
  /** Such as `http://127.0.0.1:4100`: the dashboard, and the checkout under it. */
  readonly url: string
  /** The base address of the API, with the version. Interface 9. */
  readonly apiUrl: string
  /** Keys of the first organisation. Interface 5.1. */
  readonly testKey: string
  readonly liveKey: string
  /** Signs what goes to the webhook_url of its payments. An endpoint has a secret of its own. */
  readonly secret: string
  /** All organisations that a fresh sandbox has. */
  readonly organisations: readonly SeededOrganisation[]
  /**
   * Does to a payment what otherwise the checkout does, and sends the event that tells of it. Interface 6.
   * @param options chaos: what is to go wrong with the deliveries
   * @throws NoSuchPayment, IllegalTransition, BadAction; ChaosError
   */
  act: (paymentId: string, action: Action, options?: { chaos?: Chaos }) => { payment: Payment; event: Event }
  /**
   * Moves the clock on by milliseconds: what becomes due on the way happens. Interface 8, the gift-card window.
   * @throws SandboxError for no whole number from 0, or one that leads too far
   */
  advance: (ms: number) => void
  /** Returns when nothing is in flight and nothing is due. */
  idle: () => Promise<void>
  /** Forgets everything but the first organisations and their keys. */
  reset: () => Promise<void>
  /** Ends everything; a second call changes nothing, and any other then throws a SandboxError `closed`. */
  close: () => Promise<void>
}

/**
 * Starts a sandbox on this machine: by default on a free port, with nothing kept.
 * @throws SandboxError, StoreError, RouteError or ChaosError; then nothing is left running
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const chosen = settled(options)
  const isNew = chosen.file !== ':memory:' && !existsSync(chosen.file)
  const { close, ...parts } = await compose(chosen)
  let originNow = originOf('', chosen.host)
  const context: Context = { ...parts, origin: (host) => originNow(host) }
  const server = await listen(createApp(context, chosen.onFailure), chosen).catch(async (error: unknown) => {
    await close()
    // A mistyped port is to leave nothing behind.
    if (isNew) await rm(chosen.file, { force: true })
    throw error
  })
  const { origin } = server
  originNow = originOf(origin, chosen.host)

  const organisations = seededOrganisations(context.seed())
  const [first] = organisations
  let closed: Promise<void> | undefined
  if (first === undefined) throw new Error('a sandbox begins with an organisation')

  function open(): void {
    if (closed !== undefined) throw new SandboxError('closed', 'the sandbox was closed: create another one.')
  }

  return {
    url: origin,
    apiUrl: `${origin}/v1`,
    testKey: first.testKey,
    liveKey: first.liveKey,
    secret: first.webhookUrlSecret,
    organisations,
    act: (id, action, more) => {
      open()
      return context.payments.act(idOf(id), checkedAction(action), chaosOf(more))
    },
    advance: (ms) => {
      open()
      context.windows.advance(ms)
    },
    idle: async () => {
      open()
      await context.deliveries.idle()
    },
    reset: async () => {
      open()
      await context.reset()
    },
    close: () => {
      closed ??= server.close().then(close)
      return closed
    },
  }
}

function idOf(given: unknown): string {
  if (typeof given === 'string') return given
  throw new BadAction('the id of a payment is text, as its creation answered it.')
}

function chaosOf(options: unknown): { chaos?: Chaos } {
  const { chaos, ...rest } = (options ?? {}) as { chaos?: unknown }
  const [stray] = Object.keys(rest)
  if (stray !== undefined) throw new BadAction(`there is no option ${stray}: the only one is chaos.`)
  return chaos === undefined ? {} : { chaos: readChaos(chaos) }
}
