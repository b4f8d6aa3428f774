import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Mutant } from '../mutants/mutant.ts'
import { MUTANTS } from '../mutants/mutants.ts'
import { type Running, startReceiver } from '../mutants/receiver.ts'
import { VARIANTS } from '../mutants/variants.ts'
import type { Finished } from '../support/temporary.ts'
import { SECRET } from './support.ts'

/** Source that creates `app`: the bundled handler in an Express app, which shows no effects. */
export const EXPRESS_APP = `
  import express from 'express'
  import { memoryInbox } from '@hookproof/receiver'
  import { webhookHandler } from '@hookproof/receiver/express'
  const app = express()
  app.post('/hooks/pay', webhookHandler({ secrets: '${SECRET}', inbox: memoryInbox() }))`

/** The same app with the rest of a receiver, which nothing stops: a SQLite inbox, processing and retention. */
export const COMPLETE_APP = `
  import express from 'express'
  import { startProcessing, startRetention } from '@hookproof/receiver'
  import { webhookHandler } from '@hookproof/receiver/express'
  import { sqliteInbox } from '@hookproof/receiver/sqlite'
  const app = express()
  const inbox = await sqliteInbox({ path: 'inbox.sqlite' })
  const processing = startProcessing({ inbox, transact() {} })
  startRetention({ inbox })
  app.post('/hooks/pay', webhookHandler({ secrets: '${SECRET}', inbox, onOutcome: () => processing.wake() }))`

const built = (file: string) => pathToFileURL(`dist/server/${file}`).href

/** Source that creates `bundled`, a function that starts the bundled receiver, and `stop`. */
export const BUNDLED = `
  import { readConfig } from '${built('config.js')}'
  import { start } from '${built('server.js')}'
  let running
  const stop = () => running?.stop()
  const env = { WEBHOOK_SECRET: '${SECRET}', PORT: '0', INBOX: 'memory', OBSERVE: '1', LOG_LEVEL: 'silent' }
  const bundled = async () => {
    running = await start(readConfig(env))
    return running.url + '/webhooks'
  }`

/**
 * Starts a receiver that is wrong in one way, until the running test ends.
 * @param finished ends it instead, in a hook or a concurrent test
 * @returns the receiver, and the cases that it must fail
 */
export async function startMutant(
  name: string,
  finished?: Finished,
): Promise<Running & { readonly fails: readonly string[] }> {
  const mutant: Mutant | undefined = MUTANTS[name]
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
  const { does, fails } = mutant
  return { ...(await started({ behavior: typeof does === 'function' ? does() : does }, finished)), fails }
}

/** Starts a correct receiver that makes another choice where the contract leaves one open; otherwise as startMutant. */
export async function startVariant(
  name: string,
  finished?: Finished,
): Promise<Running & { readonly warning: readonly string[] }> {
  const variant = VARIANTS[name]
  if (variant === undefined) throw new Error(`there is no variant "${name}"`)
  const { does, setting, warning = [] } = variant
  return { ...(await started({ ...setting, behavior: does() }, finished)), warning }
}

async function started(
  setting: Parameters<typeof startReceiver>[1],
  finished: Finished = onTestFinished,
): Promise<Running> {
  const running = await startReceiver(SECRET, setting)
  finished(running.stop)
  return running
}
