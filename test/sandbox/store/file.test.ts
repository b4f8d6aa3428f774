import {
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteFile } from '../../../cli/commands/sandbox/sandbox.ts'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { APPLICATION_ID } from '../../../sandbox/store/database.ts'
import { SCHEMA, SCHEMA_VERSION } from '../../../sandbox/store/schema.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { fillDisk, withSmallDisk } from '../../../scripts/proofs/shared/system.ts'
import { requires } from '../../support/prerequisites.ts'
import { temporaryFolder } from '../../support/temporary.ts'
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
    `${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = 1`,
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

test.each([
  ['a newer', 99],
  ['an older', 1],
])('rejects a file of %s version', async (age, version) => {
  const path = temporaryFile()
  await (await createSandbox({ file: path })).close()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
  await expect(createSandbox({ file: path })).rejects.toThrow(
    `was created by ${age} version of hookproof (format ${version};`,
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

/** A sandbox file that is damaged behind its header. @param id the application id in its header */
async function damaged(id: number): Promise<string> {
  const path = temporaryFile()
  const store = await openStore(path)
  store.close()
  const file = openSync(path, 'r+')
  const header = Buffer.alloc(4)
  header.writeUInt32BE(id)
  writeSync(file, header, 0, 4, 68)
  writeSync(file, Buffer.alloc(3000, 0x5a), 0, 3000, 100)
  return path
}

test('deletes a damaged file of a sandbox, and recommends it', async () => {
  const path = await damaged(APPLICATION_ID)
  await expect(openStore(path)).rejects.toThrow('reset the sandbox')
  await deleteFile(path)
  expect(existsSync(path)).toBe(false)
})

test('does the same if the damage shows only when a table is read', async () => {
  const path = temporaryFile()
  await (await createSandbox({ file: path })).close()
  const bytes = readFileSync(path)
  // The first page, with the header and the schema, is intact.
  writeFileSync(path, bytes.fill(0x5a, 4096))
  await expect(createSandbox({ file: path })).rejects.toThrow('reset the sandbox')
  expect(existsSync(path)).toBe(true)
  await deleteFile(path)
  expect(existsSync(path)).toBe(false)
})

test('leaves a damaged file of another program as it is, and does not recommend to delete it', async () => {
  for (const id of [0, 0x12_34_56_78]) {
    const path = await damaged(id)
    const before = readFileSync(path)
    await expect(deleteFile(path)).rejects.toThrow(/^((?!reset).)*$/)
    expect(readFileSync(path).equals(before)).toBe(true)
  }
})

test('leaves a file that is no database as it is', async () => {
  const path = temporaryFile()
  writeFileSync(path, 'notes')
  await expect(deleteFile(path)).rejects.toThrow('not a SQLite database')
  expect(readFileSync(path, 'utf8')).toBe('notes')
})

const disk = requires(process.getuid?.() === 0 ? undefined : 'only root can mount a small disk')

disk.test('a full disk at the start leaves no file, and names the fix', () => {
  const folder = temporaryFolder()
  return withSmallDisk(folder, 1, async () => {
    const file = join(folder, 'sandbox.sqlite')
    const ballast = join(folder, 'ballast')
    fillDisk(ballast)
    await expect(createSandbox({ file })).rejects.toThrow(
      /sandbox\.sqlite.*the disk is full\. Free some space/,
    )
    expect(readdirSync(folder)).toEqual(['ballast'])

    rmSync(ballast)
    await (await createSandbox({ file })).close()
    expect(readdirSync(folder)).toEqual(['sandbox.sqlite'])
  })
})

disk.test('a full disk while it runs and when it stops loses nothing', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()]
  let id = ''
  await withSmallDisk(folder, 1, async () => {
    const first = await createSandbox({ file: join(folder, 'sandbox.sqlite') })
    id = await payment(first)
    fillDisk(join(folder, 'ballast'))
    expect((await fetch(`${first.url}/dashboard/tea-house/log`)).status).toBe(200)
    await first.close()
    for (const name of readdirSync(folder)) {
      if (name.startsWith('sandbox')) cpSync(join(folder, name), join(other, name))
    }
  })
  const second = await sandbox({ file: join(other, 'sandbox.sqlite') })
  expect(second.act(id, { type: 'succeed' }).payment.status).toBe('completed')
})
