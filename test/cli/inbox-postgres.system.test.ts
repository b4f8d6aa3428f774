import { expect, inject, onTestFinished } from 'vitest'
import { serialize, sign } from '../../fixtures/index.ts'
import { postgresInbox } from '../../receiver/inbox/postgres.ts'
import { readDelivery } from '../../receiver/receive.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { freshDatabase, poolOf } from '../receiver/inbox/databases.ts'
import { asRole } from '../receiver/inbox/postgres/errors.ts'
import { requires } from '../support/prerequisites.ts'
import { hookproof, SECRET } from './support.ts'

const server = inject('postgres')
const { test } = requires(server !== undefined && 'missing' in server ? server.missing : undefined)

const verify = createVerifier({ secrets: SECRET })

function delivery(id: string) {
  const body = serialize({ event: 'payment.completed', payment_id: id })
  return readDelivery(verify, {
    signature: [sign({ secret: SECRET, t: Math.floor(Date.now() / 1000), body }).header],
    body,
  })
}

test('lists, retries and purges an inbox in Postgres', async () => {
  const url = await freshDatabase()
  const pool = poolOf(url)
  const run = (...words: string[]) => hookproof(['inbox', ...words], { env: { INBOX: url } })

  const none = await run('list')
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toMatch(
    /^hookproof: inbox [^\n]+: the database does not hold an inbox[^\n]+ \[usage\]\n$/,
  )
  const { rows } = await pool.query("SELECT to_regnamespace('hookproof') IS NULL AS absent")
  expect(rows).toEqual([{ absent: true }])

  const day = 86_400_000
  let now = Date.now() - 100 * day
  const inbox = await postgresInbox({ pool, clock: () => now, retries: { maxAttempts: 1 } })
  await inbox.accept(delivery('tx_done'))
  for (const entry of await inbox.claim(1, now)) await inbox.complete(entry)
  now = Date.now()
  await inbox.accept(delivery('tx_dead'))
  const [dead] = await inbox.claim(1, now)
  if (dead === undefined) throw new Error('nothing was claimed')
  await inbox.fail(dead, 'no stock')

  const listed = await run('list')
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(/ dead +1 .* tx_dead +no stock$/m)
  expect((await run('show', dead.id)).stdout).toMatch(/^payment_id +tx_dead$/m)
  for (const id of ['99', 'no id']) {
    expect((await run('show', id)).stderr).toMatch(/^hookproof: there is no entry [^\n]+ \[not_found\]\n$/)
  }
  expect((await run('retry', '--all-dead')).stdout).toMatch(/^requeued 1 dead entry\n1 pending .* 0 dead\n$/)
  expect((await run('purge', '--older-than', '90d')).stdout).toMatch(/^deleted 1 done entry .*\n$/)
  await inbox.close()
})

test('needs SELECT to list and show, and names a missing privilege in one line', async () => {
  const database = await freshDatabase()
  const owner = poolOf(database)
  const inbox = await postgresInbox({ pool: owner })
  await inbox.accept(delivery('tx_1'))
  await inbox.close()
  const { role, url } = await asRole(database)
  onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}`)))
  const schemas = 'SCHEMA hookproof'
  await owner.query(
    `GRANT USAGE ON ${schemas} TO ${role}; GRANT SELECT ON ALL TABLES IN ${schemas} TO ${role}`,
  )
  const run = (...words: string[]) => hookproof(['inbox', ...words], { env: { INBOX: url } })
  const listed = await run('list')
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(/^1 +pending .* tx_1\n\n1 pending /m)
  expect((await run('show', '1', '--body')).stdout).toContain('"payment_id":"tx_1"')
  for (const words of [
    ['retry', '--all-dead'],
    ['purge', '--older-than', '1h'],
  ]) {
    const { code, stdout, stderr } = await run(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^hookproof: inbox [^\n]* permission denied for table (inbox|format)\. GRANT [^\n]* \[usage\]\n$/,
    )
  }

  await owner.query(`REVOKE SELECT ON ALL TABLES IN ${schemas} FROM ${role}`)
  const { code, stderr } = await run('list')
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^hookproof: inbox [^\n]* permission denied for table format\. GRANT [^\n]* \[usage\]\n$/,
  )
})
