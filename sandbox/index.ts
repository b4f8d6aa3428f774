import { existsSync } from 'node:fs'
import { type Context, compose } from './compose.ts'
import { type Chaos, readChaos } from './deliveries/chaos.ts'
import { type Action, checkedAction } from './domain/actions.ts'
import { BadAction, SandboxError } from './errors.ts'
import { createApp } from './http/app.ts'
import { originOf } from './http/guard.ts'
import { listen } from './http/server.ts'
import type { Event, Payment } from './model.ts'
import { resolveOptions, type SandboxOptions } from './options.ts'
import { type SeededOrganization, seededOrganizations } from './service/keys.ts'
import { deleteAll, StoreError } from './store/database.ts'

export { type Chaos, ChaosError } from './deliveries/chaos.ts'
export { RouteError } from './deliveries/routes.ts'
export type { Action } from './domain/actions.ts'
export { BadAction, IllegalTransition, SandboxError } from './errors.ts'
export type { SandboxOptions } from './options.ts'
export type { SeededOrganization } from './service/keys.ts'
export { NoSuchPayment } from './service/payments.ts'
export { StoreError }

/** A running payment service on this machine. */
export interface Sandbox {
  /** The origin, such as `http://127.0.0.1:4100`: it serves the dashboard and the checkout. */
  readonly url: string
  /** The base URL of the API, including the version. Interface 9. */
  readonly apiUrl: string
  /** A test key of the first organization. Interface 5.1. */
  readonly testKey: string
  /** A live key of the first organization. */
  readonly liveKey: string
  /** Signs deliveries to the webhook_url of its payments. Each registered endpoint has its own secret. */
  readonly secret: string
  /** The organizations that every new sandbox starts with. */
  readonly organizations: readonly SeededOrganization[]
  /** The settings that differ from their defaults, in words. */
  readonly settings: readonly { readonly name: string; readonly text: string }[]
  /**
   * Does what the customer or the merchant would do with a payment, and sends the resulting event. Interface 6.
   * @param options chaos: faults to inject into the event's deliveries
   * @throws NoSuchPayment, IllegalTransition, BadAction; ChaosError
   */
  act: (paymentId: string, action: Action, options?: { chaos?: Chaos }) => { payment: Payment; event: Event }
  /**
   * Advances the clock; whatever becomes due in between happens. Interface 8, the gift-card window.
   * @param ms milliseconds, a whole number
   * @throws SandboxError if `ms` is negative or not a whole number, or the clock would pass the year 9998
   */
  advance: (ms: number) => void
  /** The sandbox's time, in milliseconds since 1970. */
  now: () => number
  /** Resolves when no delivery is in flight or due. */
  idle: () => Promise<void>
  /** Deletes everything except the default organizations and their keys. */
  reset: () => Promise<void>
  /** Stops the sandbox. Calling it again does nothing; any other call then throws a SandboxError `closed`. */
  close: () => Promise<void>
}

/**
 * Starts a sandbox on this machine: by default on a free port and in memory.
 * @throws SandboxError, StoreError, RouteError or ChaosError, and leaves nothing running
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const resolved = resolveOptions(options)
  const isNew = resolved.file !== ':memory:' && !existsSync(resolved.file)
  const { close, ...parts } = await compose(resolved).catch(async (error: unknown) => {
    // Another sandbox may have created it in the meantime, and be using it.
    if (isNew && !(error instanceof StoreError)) await deleteAll(resolved.file)
    throw error
  })
  let originNow = originOf('', resolved.host)
  const context: Context = { ...parts, origin: (host) => originNow(host) }
  const server = await listen(createApp(context, resolved.onFailure), resolved).catch(
    async (error: unknown) => {
      await close()
      // A mistyped port must not leave a new file behind.
      if (isNew) await deleteAll(resolved.file)
      throw error
    },
  )
  const { origin } = server
  originNow = originOf(origin, resolved.host)

  const organizations = seededOrganizations(context.seed())
  const [first] = organizations
  let closed: Promise<void> | undefined
  if (first === undefined) throw new Error('the sandbox has no organization')

  function open(): void {
    if (closed !== undefined) throw new SandboxError('closed', 'the sandbox is closed. Create a new one.')
  }

  return {
    url: origin,
    apiUrl: `${origin}/v1`,
    testKey: first.testKey,
    liveKey: first.liveKey,
    secret: first.webhookUrlSecret,
    organizations,
    settings: context.settings,
    act: (id, action, more) => {
      open()
      return context.payments.act(idOf(id), checkedAction(action), chaosOf(more))
    },
    advance: (ms) => {
      open()
      context.windows.advance(ms)
    },
    now: () => context.clock.now(),
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
  throw new BadAction('the payment id must be a string, as returned when the payment was created.')
}

function chaosOf(options: unknown): { chaos?: Chaos } {
  const { chaos, ...rest } = (options ?? {}) as { chaos?: unknown }
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    throw new BadAction(`"${stray}" is not an option of act(). The only option is "chaos".`)
  return chaos === undefined ? {} : { chaos: readChaos(chaos) }
}
