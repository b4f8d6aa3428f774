import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { openDatabase } from '../../../sandbox/store/database.ts'
import { MIGRATIONS, SCHEMA_VERSION } from '../../../sandbox/store/schema.ts'
import { payment, sandbox, temporaryFile } from '../support.ts'

const { DatabaseSync }: typeof import('@photostructure/sqlite') = createRequire(import.meta.url)(
  '@photostructure/sqlite',
)

function written(sql: string): string {
  const path = temporaryFile()
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
  return path
}

const FOREIGN = 'is the database of another program. Use another file; nothing was changed.'

test.each([
  ['tables and no version', 'CREATE TABLE api_log (id)'],
  ['an old version of the sandbox and other tables', 'CREATE TABLE notes (id); PRAGMA user_version = 1'],
  [
    'the current version of the sandbox and other tables',
    `CREATE TABLE notes (id); PRAGMA user_version = ${SCHEMA_VERSION}`,
  ],
  ['a newer version and other tables', 'CREATE TABLE notes (id); PRAGMA user_version = 99'],
  ['a version and no table', 'PRAGMA user_version = 1'],
  ['the mark of another program', 'PRAGMA application_id = 1'],
  [
    "the sandbox's tables and the mark of another program",
    `${MIGRATIONS.join(';')}; PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = 1`,
  ],
])('rejects a database with %s, and does not change it', async (_, sql) => {
  const path = written(sql)
  const before = readFileSync(path)
  await expect(createSandbox({ file: path })).rejects.toThrow(FOREIGN)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test("rejects the receiver's inbox as another program's database", async () => {
  const path = temporaryFile()
  await (await sqliteInbox({ path })).close()
  const before = readFileSync(path)
  await expect(createSandbox({ file: path })).rejects.toThrow(FOREIGN)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test.each(MIGRATIONS.map((_, index) => index + 1))(
  'upgrades a file of format %i without a mark',
  async (version) => {
    const path = written(`${MIGRATIONS.slice(0, version).join(';')}; PRAGMA user_version = ${version}`)
    await (await createSandbox({ file: path })).close()
    const database = await openDatabase(path)
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0x68_70_73_62 })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    database.close()
  },
)

test('rejects a file of a newer version', async () => {
  const path = temporaryFile()
  await (await createSandbox({ file: path })).close()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  await expect(createSandbox({ file: path })).rejects.toThrow(
    'was created by a newer version of hookproof (format 99;',
  )
})

test('only the owner can read the file, while the sandbox runs and afterwards', async () => {
  const path = temporaryFile()
  const on = await sandbox({ file: path })
  await payment(on)
  const modes = ['', '-wal'].map((suffix) => statSync(path + suffix).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  await on.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('only the owner can read a file that is created through a symbolic link', async () => {
  const path = temporaryFile()
  symlinkSync('target.sqlite', path)
  await (await createSandbox({ file: path })).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a port in use leaves no new file behind, and does not change an existing one', async () => {
  const first = await sandbox()
  const port = Number(new URL(first.url).port)
  const path = temporaryFile()
  await expect(createSandbox({ file: path, port })).rejects.toThrow('is already in use')
  expect(['', '-wal', '-shm', '-journal'].map((suffix) => existsSync(path + suffix))).not.toContain(true)

  await (await createSandbox({ file: path, seed: 'kept' })).close()
  await expect(createSandbox({ file: path, port })).rejects.toThrow('is already in use')
  const again = await sandbox({ file: path })
  expect(again.testKey).toBe((await sandbox({ seed: 'kept' })).testKey)
})
