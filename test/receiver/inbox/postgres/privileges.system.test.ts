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
  ['USAGE', 'SCHEMA hookproof_queue'],
  ...on('hookproof.format', 'SELECT', 'UPDATE'),
  ...on('hookproof.inbox', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'),
  ...on('hookproof.payment', 'SELECT', 'INSERT', 'UPDATE'),
  ...on('hookproof.ledger', 'SELECT', 'INSERT'),
  ['USAGE', 'SEQUENCE hookproof.entry_number'],
  ...on('hookproof_queue.version', 'SELECT', 'UPDATE'),
  ...on('hookproof_queue.queue', 'SELECT'),
  ...on('hookproof_queue.job', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'),
] as const

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
  await poolOf(shared).query(
    'TRUNCATE hookproof.inbox, hookproof.payment, hookproof.ledger, hookproof_queue.job',
  )
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

/** The GRANT statements in a message. */
const grantsIn = (message: string): string[] => message.match(/GRANT [^;]+;/g) ?? []

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

  it.each(['the check', 'the start'])(
    'are each named by %s when missing, with the GRANT statement',
    async (by) => {
      const { owner, role, url } = await granted(await emptied())
      const inbox = await receiver(poolOf(url))
      const getError = async () =>
        by === 'the start'
          ? openingError(url)
          : inbox.check().then(
              () => 'the check passed',
              (error: Error) => error.message,
            )
      for (const [privilege, object] of NEEDED) {
        await owner.query(`REVOKE ${privilege} ON ${object} FROM ${role}`)
        const message = await getError()
        const named = object.replace('SCHEMA ', 'the schema ').replace('SEQUENCE ', '')
        expect(message).toContain(
          `: the user ${role} lacks ${privilege} on ${named}. Ask the owner to run: GRANT `,
        )
        const grants = grantsIn(message)
        expect(grants).toHaveLength(1)
        await owner.query(grants.join(' '))
        await inbox.check()
      }
    },
  )

  it('are all named in one line when all are missing, with sufficient GRANT statements', async () => {
    const { owner, url } = await granted(await emptied(), [])
    const message = await openingError(url)
    expect(message).toMatch(
      /lacks USAGE on the schema hookproof, USAGE on .*_queue and 8 more\. Ask the owner/,
    )
    // The program truncates longer messages on standard error.
    expect(message.length).toBeLessThan(500)
    expect(grantsIn(message)).toHaveLength(3)
    for (const grant of grantsIn(message)) await owner.query(grant)
    await (await receiver(poolOf(url))).check()
  })

  it('to read only do not suffice', async () => {
    const { url } = await granted(
      await emptied(),
      NEEDED.filter(([privilege]) => /USAGE|SELECT/.test(privilege)),
    )
    expect(await openingError(url)).toMatch(
      /lacks UPDATE on hookproof\.format, INSERT, UPDATE, DELETE on hookproof\.inbox and 4 more/,
    )
  })

  it('are named when revoked from a running receiver', async () => {
    const { owner, role, url } = await granted(await emptied())
    const inbox = await receiver(poolOf(url, { max: 1 }))
    await inbox.accept(completed('tx_1'))
    const [entry] = await inbox.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    await owner.query(`REVOKE INSERT ON ALL TABLES IN SCHEMA hookproof FROM ${role}`)
    await expect(inbox.accept(completed('tx_2'))).rejects.toThrow(
      `lacks INSERT on hookproof.inbox, INSERT on hookproof.payment and 1 more. Ask the owner to run: GRANT`,
    )
    await owner.query(`REVOKE UPDATE, DELETE ON hookproof_queue.job FROM ${role}`)
    for (const refused of [inbox.complete(entry), inbox.claim(1, 0), inbox.fail(entry, 'no goods')]) {
      await expect(refused).rejects.toThrow(/and 2 more\. Ask the owner to run: GRANT SELECT, INSERT, /)
    }
  })
})

describe('missing tables', () => {
  it.each(['inbox', 'payment', 'ledger'])('are named: %s', async (table) => {
    const { owner, url } = await granted(await copy())
    const inbox = await receiver(owner)
    await owner.query(`DROP TABLE hookproof.${table}`)
    const expected = `hookproof.${table} does not exist. Restore it from a backup, or drop the schemas hookproof and hookproof_queue with all their data and start again.`
    await expect(inbox.check()).rejects.toThrow(expected)
    expect(await openingError(url)).toContain(expected)
    if (table === 'inbox') await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(expected)
  })

  it('prevent a start from creating those of the queue', async () => {
    const { owner, url } = await granted(await copy())
    await owner.query('DROP TABLE hookproof.inbox; DROP SCHEMA hookproof_queue CASCADE')
    expect(await openingError(url)).toMatch(/: hookproof\.inbox does not exist\./)
    await expect(receiver(owner)).rejects.toThrow(/: hookproof\.inbox does not exist\./)
    const { rows } = await owner.query("SELECT to_regnamespace('hookproof_queue') IS NULL AS absent")
    expect(rows).toEqual([{ absent: true }])
  })

  it('are named: the table with the jobs of the queue', async () => {
    const { owner } = await granted(await copy())
    const inbox = await receiver(owner)
    const { rows } = await owner.query('SELECT partition_name AS name FROM hookproof_queue.queue')
    await owner.query(`DROP TABLE hookproof_queue.${rows[0].name}`)
    const expected = `hookproof_queue.${rows[0].name} does not exist. Restore it`
    await expect(inbox.check()).rejects.toThrow(expected)
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(expected)
    await expect(receiver(owner)).rejects.toThrow(expected)
  })

  it('are named with their schema', async () => {
    const { owner } = await granted(await copy())
    const inbox = await receiver(owner)
    await owner.query('DROP SCHEMA hookproof_queue CASCADE')
    await expect(inbox.check()).rejects.toThrow(
      /: the schema hookproof_queue, hookproof_queue\.version and 3 more do not exist/,
    )
  })

  it('fail the check without the row of their queue, because events would get no job', async () => {
    const { owner } = await granted(await copy())
    const inbox = await receiver(owner)
    await owner.query('DELETE FROM hookproof_queue.queue')
    await expect(inbox.check()).rejects.toThrow(
      ': the row of the queue in hookproof_queue.queue does not exist. Restore it from a backup, or drop',
    )
  })
})
