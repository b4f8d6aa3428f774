import { existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deleteFile } from '../../../cli/commands/sandbox/delete-file.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { APPLICATION_ID } from '../../../sandbox/store/database.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { temporaryFile } from '../support.ts'

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
