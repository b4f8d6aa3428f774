import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox, postgresLedger } from '../../../receiver/inbox/postgres.ts'
import { createOrders } from '../../../receiver/orders.ts'
import { completed } from '../support.ts'
import { freshDatabase, poolOf } from './databases.ts'
import { asRole, openingError } from './postgres-errors.ts'

/** All that the user of a receiver needs, one privilege each. */
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

/** A database with its tables, and a role that may do just what is needed. */
async function granted(needed: readonly (readonly [string, string])[] = NEEDED) {
  const database = await freshDatabase()
  const owner = poolOf(database)
  await (await postgresInbox({ pool: owner })).close()
  const { role, url } = await asRole(database)
  onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}`)))
  for (const [privilege, object] of needed) await owner.query(`GRANT ${privilege} ON ${object} TO ${role}`)
  return { owner, role, url }
}

async function receiver(pool: Pool, maxAttempts = 2) {
  const inbox = await postgresInbox({ pool, retries: { maxAttempts, firstDelayMs: 1 } })
  onTestFinished(() => inbox.close())
  return inbox
}

/** The statements that a refusal names. */
const grantsIn = (message: string): string[] => message.match(/GRANT [^;]+;/g) ?? []

describe('the privileges of the user', () => {
  it('are enough for all that an inbox does, and no more than that is asked for', async () => {
    const { url } = await granted()
    const pool = poolOf(url)
    const inbox = await receiver(pool, 1)
    const orders = createOrders({ ledger: postgresLedger({ pool }) })
    for (const id of ['tx_1', 'tx_2']) expect(await inbox.accept(completed(id))).toBe('stored')
    const [one, two] = await inbox.claim(2, Date.now())
    if (one === undefined || two === undefined) throw new Error('two were not claimed')
    const event = { event: 'payment.completed', amount: '1.00', currency: 'USD' }
    await inbox.complete(one, (client) => orders.transact(event, one, client))
    await inbox.fail(two, 'no goods')
    expect(await inbox.retry(two.id)).toBe(true)
    await inbox.claim(1, Date.now())
    expect(await inbox.recover()).toHaveLength(1)
    expect(await inbox.purge(Date.now() + 1)).toBe(1)
    expect(await inbox.depth(0)).toMatchObject({ dead: 1 })
    await inbox.check()
  })

  it.each(['the check', 'the start'])('are named one by one by %s, with what grants them', async (by) => {
    const { owner, role, url } = await granted()
    const inbox = await receiver(poolOf(url))
    const ask = async () =>
      by === 'the start'
        ? openingError(url)
        : inbox.check().then(
            () => 'it passed',
            (error: Error) => error.message,
          )
    for (const [privilege, object] of NEEDED) {
      await owner.query(`REVOKE ${privilege} ON ${object} FROM ${role}`)
      const said = await ask()
      const named = object.replace('SCHEMA ', 'the schema ').replace('SEQUENCE ', '')
      expect(said).toContain(`: the user ${role} lacks ${privilege} on ${named}. Let the owner run: GRANT `)
      const grants = grantsIn(said)
      expect(grants).toHaveLength(1)
      await owner.query(grants.join(' '))
      await inbox.check()
    }
  })

  it('are all in one line when all are missing, and what it says grants them', async () => {
    const { owner, url } = await granted([])
    const said = await openingError(url)
    expect(said).toMatch(/lacks USAGE on the schema hookproof, USAGE on .*_queue and 8 more\. Let the owner/)
    // More than that, and the end of it would be cut off on standard error.
    expect(said.length).toBeLessThan(500)
    expect(grantsIn(said)).toHaveLength(3)
    for (const grant of grantsIn(said)) await owner.query(grant)
    await (await receiver(poolOf(url))).check()
  })

  it('to read only are too few to start with', async () => {
    const { url } = await granted(NEEDED.filter(([privilege]) => /USAGE|SELECT/.test(privilege)))
    expect(await openingError(url)).toMatch(
      /lacks UPDATE on hookproof\.format, INSERT, UPDATE, DELETE on hookproof\.inbox and 4 more/,
    )
  })

  it('are named when one is taken away from a receiver that runs', async () => {
    const { owner, role, url } = await granted()
    const inbox = await receiver(poolOf(url, { max: 1 }))
    await inbox.accept(completed('tx_1'))
    const [entry] = await inbox.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    await owner.query(`REVOKE INSERT ON ALL TABLES IN SCHEMA hookproof FROM ${role}`)
    await expect(inbox.accept(completed('tx_2'))).rejects.toThrow(
      `lacks INSERT on hookproof.inbox, INSERT on hookproof.payment and 1 more. Let the owner run: GRANT`,
    )
    await owner.query(`REVOKE UPDATE, DELETE ON hookproof_queue.job FROM ${role}`)
    for (const refused of [inbox.complete(entry), inbox.claim(1, 0), inbox.fail(entry, 'no goods')]) {
      await expect(refused).rejects.toThrow(/and 2 more\. Let the owner run: GRANT SELECT, INSERT, /)
    }
  })
})

describe('tables that are gone', () => {
  it.each(['inbox', 'payment', 'ledger'])('are named: %s', async (table) => {
    const { owner, url } = await granted()
    const inbox = await receiver(owner)
    await owner.query(`DROP TABLE hookproof.${table}`)
    const says = `hookproof.${table} is not there. Restore it from a backup; or drop the schemas hookproof and hookproof_queue, with all they hold, and start anew.`
    await expect(inbox.check()).rejects.toThrow(says)
    expect(await openingError(url)).toContain(says)
    if (table === 'inbox') await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(says)
  })

  it('keep a start from making those of the queue', async () => {
    const { owner, url } = await granted()
    await owner.query('DROP TABLE hookproof.inbox; DROP SCHEMA hookproof_queue CASCADE')
    expect(await openingError(url)).toMatch(/: hookproof\.inbox is not there\./)
    await expect(receiver(owner)).rejects.toThrow(/: hookproof\.inbox is not there\./)
    const { rows } = await owner.query("SELECT to_regnamespace('hookproof_queue') IS NULL AS absent")
    expect(rows).toEqual([{ absent: true }])
  })

  it('are named when it is the one that the jobs of the queue are in', async () => {
    const { owner } = await granted()
    const inbox = await receiver(owner)
    const { rows } = await owner.query('SELECT partition_name AS name FROM hookproof_queue.queue')
    await owner.query(`DROP TABLE hookproof_queue.${rows[0].name}`)
    const says = `hookproof_queue.${rows[0].name} is not there. Restore it`
    await expect(inbox.check()).rejects.toThrow(says)
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(says)
    await expect(receiver(owner)).rejects.toThrow(says)
  })

  it('are named with their schema', async () => {
    const { owner } = await granted()
    const inbox = await receiver(owner)
    await owner.query('DROP SCHEMA hookproof_queue CASCADE')
    await expect(inbox.check()).rejects.toThrow(
      /: the schema hookproof_queue, hookproof_queue\.version and 3 more are not/,
    )
  })

  it('are not used without the row of their queue: what is stored then would get no job', async () => {
    const { owner } = await granted()
    const inbox = await receiver(owner)
    await owner.query('DELETE FROM hookproof_queue.queue')
    await expect(inbox.check()).rejects.toThrow(
      ': the row of the queue in hookproof_queue.queue is not there. Restore it from a backup; or drop',
    )
  })
})
