import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { serialize, sign } from '../../fixtures/index.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import type { Inbox } from '../../receiver/inbox.ts'
import { readDelivery, type VerifiedDelivery } from '../../receiver/receive.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { closeBooks } from '../support/closed-books.ts'
import { listening } from './sandbox/support.ts'
import { hookproof, runBuilt, SECRET, start, temporaryFolder, until } from './support.ts'

const T = 1_750_000_000
const DAY = 86_400_000

function delivery(id: string, more: object = {}): VerifiedDelivery {
  const body = serialize({ event: 'payment.completed', payment_id: id, ...more })
  const verify = createVerifier({ secrets: SECRET, clock: () => T * 1000 })
  return readDelivery(verify, { signature: [sign({ secret: SECRET, t: T, body }).header], body })
}

/** An inbox with some entries: tx_done is 100 days old, tx_dead failed, tx_1 waits. */
async function filled(work: (inbox: Inbox) => Promise<void> = async () => {}): Promise<string> {
  const path = join(temporaryFolder(), 'inbox.sqlite')
  let now = Date.now() - 100 * DAY
  const inbox = await sqliteInbox({ path, clock: () => now, retries: { maxAttempts: 1 } })
  await inbox.accept(delivery('tx_done'))
  for (const entry of await inbox.claim(1, now)) await inbox.complete(entry)
  now = Date.now() - 5000
  await inbox.accept(delivery('tx_dead'))
  for (const entry of await inbox.claim(1, now)) await inbox.fail(entry, 'no stock\u001b[31m left')
  await inbox.accept(delivery('tx_1', { note: 'zwölf \u0007\n書籍' }))
  await work(inbox)
  await inbox.close()
  return path
}

const rowsOf = async (path: string, ...more: string[]) => {
  const { stdout } = await hookproof(['inbox', 'list', '--inbox', path, '--json', ...more])
  return JSON.parse(stdout) as Record<string, unknown>[]
}

describe('list', () => {
  test('lists what is not done, and counts it', async () => {
    const inbox = await filled()
    const { code, stdout, stderr } = await runBuilt(['inbox', 'list'], { env: { INBOX: inbox } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^id +state +attempts +received +event +payment +last error$/m)
    expect(stdout).toMatch(/^2 +dead +1 +\d{4}-\S+Z +payment\.completed +tx_dead +no stock \[31m left$/m)
    expect(stdout).toMatch(/^3 +pending +0 +\S+ +payment\.completed +tx_1$/m)
    expect(stdout).toMatch(/^1 pending \(oldest: \d+ s\), 0 processing, 1 dead$/m)
    expect(stdout).not.toContain('tx_done')
  })

  test('says how to list handled events when nothing else is left', async () => {
    const path = join(temporaryFolder(), 'inbox.sqlite')
    await (await sqliteInbox({ path })).close()
    const { stdout } = await hookproof(['inbox', 'list', '--inbox', path])
    expect(stdout).toBe('0 pending, 0 processing, 0 dead\n--state done lists handled events.\n')
  })

  test('filters by state, limits the number and prints JSON', async () => {
    const inbox = await filled(async (opened) => {
      for (let n = 2; n < 6; n += 1) await opened.accept(delivery(`tx_${n}`))
    })
    expect(await rowsOf(inbox, '--state', 'done')).toMatchObject([
      { id: '1', state: 'done', payment_id: 'tx_done', attempts: 1, due_at: null, last_error: null },
    ])
    expect(await rowsOf(inbox, '--state', 'pending', '--limit', '2')).toMatchObject([
      { payment_id: 'tx_1' },
      { payment_id: 'tx_2' },
    ])
    expect(await rowsOf(inbox, '--limit', '2')).toMatchObject([{ state: 'dead' }, { state: 'pending' }])
    const { code, stderr } = await hookproof(['inbox', 'list', '--inbox', inbox, '--state', 'lost'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^hookproof: [^\n]*pending, processing, done, dead[^\n]*\n$/)
  })
})

describe('show', () => {
  test('shows the fields, and the body only when asked, with nothing that a terminal obeys', async () => {
    const inbox = await filled()
    const brief = await hookproof(['inbox', 'show', '3', '--inbox', inbox])
    expect(brief).toMatchObject({ code: 0, stderr: '' })
    expect(brief.stdout).toMatch(/^payment_id +tx_1$/m)
    expect(brief.stdout).not.toContain('note')
    const whole = await hookproof(['inbox', 'show', '3', '--inbox', inbox, '--body'])
    expect(whole.stdout).toContain('"note":"zwölf \\u0007\\n書籍"')
    const json = await hookproof(['inbox', 'show', '3', '--inbox', inbox, '--body', '--json'])
    expect(JSON.parse(JSON.parse(json.stdout).body)).toMatchObject({ note: 'zwölf \u0007\n書籍' })
    const dead = await hookproof(['inbox', 'show', '2', '--inbox', inbox])
    expect(dead.stdout).toMatch(/^last_error +no stock \[31m left$/m)
    for (const { stdout } of [brief, whole, json, dead]) {
      expect(stdout).not.toMatch(/v1=|whsec_/)
      expect(stdout).not.toContain('\u001b')
    }
  })

  test.each([
    [['show', '99'], /there is no entry 99/, 'not_found'],
    [['retry', '2', '99'], /there is no entry 99/, 'not_found'],
    [['retry', '2', '3'], /entry 3 is pending: only dead entries/],
    [['retry'], /pass either the ids of dead entries, or --all-dead/],
    [['retry', '2', '--all-dead'], /either the ids/],
    [['purge'], /--older-than/],
    [['purge', '--older-than', '90'], /days or hours, for example 90d/],
    [['purge', '--older-than', '0d'], /days or hours/],
    [['list', '--limit', 'all'], /whole number/],
  ])('refuses %j in one line, and changes nothing', async (words, line, kind = 'usage') => {
    const inbox = await filled()
    const before = await rowsOf(inbox)
    const { code, stdout, stderr } = await hookproof(['inbox', ...words, '--inbox', inbox])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^hookproof: [^\n]+ \[[a-z_]+\]\n$/)
    expect(stderr).toMatch(line)
    expect(stderr.endsWith(` [${kind}]\n`)).toBe(true)
    expect(await rowsOf(inbox)).toEqual(before)
  })
})

describe('retry', () => {
  test('requeues the named entries, or all dead ones', async () => {
    const bury = async (inbox: Inbox) => {
      for (let n = 0; n < 150; n += 1) await inbox.accept(delivery(`tx_d${n}`))
      for (const entry of await inbox.claim(1000, Date.now())) await inbox.fail(entry, 'gone')
    }
    const inbox = await filled(bury)
    const named = await hookproof(['inbox', 'retry', '2', '4', '--inbox', inbox])
    expect(named).toMatchObject({ code: 0, stderr: '' })
    expect(named.stdout).toMatch(/^requeued 2 dead entries\n2 pending .*, 150 dead\n$/)
    const all = await hookproof(['inbox', 'retry', '--all-dead', '--inbox', inbox])
    expect(all.stdout).toMatch(/^requeued 150 dead entries\n152 pending .*, 0 dead\n$/)
    expect(await rowsOf(inbox, '--limit', '1')).toMatchObject([{ state: 'pending', attempts: 0 }])
  })
})

describe('purge', () => {
  test('deletes old entries that are done', async () => {
    const inbox = await filled()
    const run = async (...more: string[]) => {
      const args = ['inbox', 'purge', '--inbox', inbox, '--older-than', ...more]
      return (await hookproof(args)).stdout
    }
    expect(await run('101d')).toMatch(/^deleted 0 done entries .*\n$/)
    expect(await rowsOf(inbox, '--state', 'done')).toHaveLength(1)
    expect(await run('2400h')).toMatch(/^deleted 1 done entry .*\n$/)
    expect(await rowsOf(inbox, '--state', 'done')).toEqual([])
    expect(await rowsOf(inbox)).toHaveLength(2)
  })
})

describe('refuses, without changing it,', () => {
  const made: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ['a missing file', () => {}, /no such file/],
    ['a directory', (path) => mkdirSync(path), /it is not a file/],
    ['an empty file', (path) => writeFileSync(path, ''), /does not hold an inbox/],
    ['a text', (path) => writeFileSync(path, 'text '.repeat(500)), /not a SQLite database/],
    ['random bytes', (path) => writeFileSync(path, randomBytes(5000)), /not a SQLite database/],
    [
      'a database of another program',
      (path) => database(path, 'CREATE TABLE users (id)'),
      /does not hold an inbox/,
    ],
    [
      'an inbox of a newer program',
      (path) => database(path, 'CREATE TABLE inbox (id); CREATE TABLE ledger (id); PRAGMA user_version = 99'),
      /created by a newer version .*Update the program/,
    ],
  ]

  function database(path: string, sql: string): void {
    const made = new DatabaseSync(path)
    made.exec(sql)
    made.close()
  }

  test.each(made)('%s', async (_name, make, line) => {
    const path = join(temporaryFolder(), 'inbox.sqlite')
    make(path)
    const bytes = () =>
      existsSync(path) && !line.source.includes('not a file') ? readFileSync(path) : undefined
    const before = bytes()
    const { code, stderr } = await hookproof(['inbox', 'list', '--inbox', path])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^hookproof: inbox [^\n]+ \[usage\]\n$/)
    expect(stderr).toMatch(line)
    expect(bytes()).toEqual(before)
  })

  test('memory and unusable URLs, without showing the URL', async () => {
    const urls = ['mysql://user:geheim@host/db', 'postgres://user:geheim@127.0.0.1:1/db']
    for (const url of [...urls, 'memory']) {
      const { code, stderr } = await hookproof(['inbox', 'list', '--inbox', url])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^hookproof: [^\n]+ \[usage\]\n$/)
      expect(stderr).not.toContain('geheim')
    }
  })
})

test('works while a receiver is running, which processes what is requeued', async () => {
  const inbox = join(temporaryFolder(), 'inbox.sqlite')
  await closeBooks(inbox, 'tx_bad')
  const env = { MAX_ATTEMPTS: '1' }
  const args = ['receive', '--port', '0', '--inbox', inbox, '--observe']
  const { kill, stdout, done, url } = await listening(start(args, { env }))
  const post = async (event: object) => {
    const body = new Uint8Array(serialize(event))
    const { header } = sign({ secret: SECRET, t: Math.floor(Date.now() / 1000), body: Buffer.from(body) })
    const headers = { 'X-Service-Signature': header }
    return (await fetch(`${url}/webhooks`, { method: 'POST', body, headers })).status
  }
  const over = new AbortController()
  const statuses = new Set<number>()
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, sender) => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const payment = { payment_id: `tx_${sender}_${n}`, amount: '1.00', currency: 'USD', livemode: false }
        statuses.add(await post({ event: 'payment.completed', ...payment }))
      }
    }),
  )
  expect(
    await post({ event: 'payment.completed', payment_id: 'tx_bad', amount: '1.00', currency: 'USD' }),
  ).toBe(200)
  await until(async () => (await rowsOf(inbox, '--state', 'dead')).length === 1)
  const { code, stdout: retried } = await hookproof(['inbox', 'retry', '--all-dead', '--inbox', inbox])
  expect(code).toBe(0)
  expect(retried).toMatch(/^requeued 1 dead entry/)
  // Processed once more by the receiver, and dead again.
  await until(() => (stdout().match(/"outcome":"dead"/g) ?? []).length === 2)
  expect(await hookproof(['inbox', 'purge', '--older-than', '1h', '--inbox', inbox])).toMatchObject({
    code: 0,
  })
  over.abort()
  await load
  expect([...statuses]).toEqual([200])
  kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})
