import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox, postgresLedger } from '../../../../receiver/inbox/postgres.ts'
import { createOrders } from '../../../../receiver/orders.ts'
import { completed, parsedEvent } from '../../support.ts'
import { freshDatabase, poolOf } from '../databases.ts'
import { asRole, openingError } from './errors.ts'

/** Every privilege that the user of a receiver needs. */
const NEEDED = [
  ['USAGE', 'SCHEMA hookproof'],
  ...on('hookproof.format', 'SELECT', 'UPDATE'),
  ...on('hookproof.inbox', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'),
  ...on('hookproof.payment', 'SELECT', 'INSERT', 'UPDATE'),
  ...on('hookproof.ledger', 'SELECT', 'INSERT'),
] as const
/** How many of them storing an event needs; the others are for the ledger. */
const NEEDED_TO_STORE = 7

function on(table: string, ...privileges: string[]) {
  return privileges.map((privilege) => [privilege, table] as const)
}

let template: string
/** A database for the tests that change no tables. */
let shared: string

// Creating the tables once and copying the database is faster than creating them for each test.
beforeAll(async () => {
  const url = await freshDatabase(undefined, (clear) => void afterFile.push(clear))
  const pool = new Pool({ connectionString: url })
  await (await postgresInbox({ pool })).close()
  await pool.end()
  template = new URL(url).pathname.slice(1)
  shared = await freshDatabase(`TEMPLATE ${template}`, (clear) => void afterFile.unshift(clear))
})

const afterFile: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const clear of afterFile) await clear()
})

/** A copy of the database with the tables. */
const copy = () => freshDatabase(`TEMPLATE ${template}`)

/** The shared database, without entries. */
async function emptied(): Promise<string> {
  await poolOf(shared).query('TRUNCATE hookproof.inbox, hookproof.payment, hookproof.ledger')
  return shared
}

/** A role with exactly the needed privileges on a database with the tables. */
async function granted(database: string, needed: readonly (readonly [string, string])[] = NEEDED) {
  const owner = poolOf(database)
  const { role, url } = await asRole(database)
  onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}`)))
  await owner.query(
    needed.map(([privilege, object]) => `GRANT ${privilege} ON ${object} TO ${role}`).join('; '),
  )
  return { owner, role, url }
}

async function receiver(pool: Pool, maxAttempts = 2) {
  const inbox = await postgresInbox({ pool, retries: { maxAttempts, firstDelayMs: 1 } })
  onTestFinished(() => inbox.close())
  return inbox
}

describe('the privileges of the user', () => {
  it('suffice for everything that an inbox does', async () => {
    const { url } = await granted(await emptied())
    const pool = poolOf(url)
    const inbox = await receiver(pool, 1)
    const orders = createOrders({ ledger: postgresLedger({ pool }) })
    for (const id of ['tx_1', 'tx_2']) expect(await inbox.accept(completed(id))).toBe('stored')
    const [first, second] = await inbox.claim(2, Date.now())
    if (first === undefined || second === undefined) throw new Error('two entries were not claimed')
    const event = parsedEvent({ event: 'payment.completed', amount: '1.00', currency: 'USD' })
    await inbox.complete(first, (client) => orders.transact(event, first, client))
    await inbox.fail(second, 'no goods')
    expect(await inbox.retry(second.id)).toBe(true)
    await inbox.claim(1, Date.now())
    expect(await inbox.recover()).toHaveLength(1)
    expect(await inbox.purge(Date.now() + 1)).toBe(1)
    expect(await inbox.depth(0)).toMatchObject({ dead: 1 })
    await inbox.check()
  })

  it('fail the check and the start when one is missing that storing needs', async () => {
    const { owner, role, url } = await granted(await emptied())
    const inbox = await receiver(poolOf(url))
    for (const [privilege, object] of NEEDED.slice(0, NEEDED_TO_STORE)) {
      await owner.query(`REVOKE ${privilege} ON ${object} FROM ${role}`)
      const message = /: permission denied for (schema|table) [^ ]+\. GRANT the privileges/
      await expect(inbox.check()).rejects.toThrow(message)
      expect(await openingError(url)).toMatch(message)
      await owner.query(`GRANT ${privilege} ON ${object} TO ${role}`)
      await inbox.check()
    }
  })

  it('are named when revoked from a running receiver', async () => {
    const { owner, role, url } = await granted(await emptied())
    const inbox = await receiver(poolOf(url, { max: 1 }))
    await inbox.accept(completed('tx_1'))
    const [entry] = await inbox.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    await owner.query(`REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA hookproof FROM ${role}`)
    for (const refused of [
      () => inbox.accept(completed('tx_2')),
      () => inbox.complete(entry),
      () => inbox.claim(1, 0),
      () => inbox.fail(entry, 'no goods'),
    ]) {
      await expect(refused()).rejects.toThrow(/: permission denied for table inbox\. GRANT the privileges/)
    }
  })
})

describe('a missing table', () => {
  it('is named, and not created again', async () => {
    const { owner, url } = await granted(await copy())
    const inbox = await receiver(owner)
    await owner.query('DROP TABLE hookproof.inbox')
    const expected = 'relation "hookproof.inbox" does not exist. Restore it from a backup.'
    await expect(inbox.check()).rejects.toThrow(expected)
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(expected)
    await expect(receiver(owner)).rejects.toThrow(expected)
    expect(await openingError(url)).toContain(expected)
  })
})
