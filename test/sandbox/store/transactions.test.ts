import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../sandbox/store/database.ts'
import type { Database } from '../../../sandbox/store/sqlite.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { transactionsOf } from '../../../sandbox/store/transactions.ts'
import { temporaryFile } from '../support.ts'

/** Transactions over a table of notes, and the statements that they are made of. */
async function setup() {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY, about TEXT REFERENCES notes (text))')
  const said: string[] = []
  const exec = (sql: string) => {
    said.push(sql)
    database.exec(sql)
  }
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)')
  return {
    ...transactionsOf({ exec } as unknown as Database),
    database,
    said,
    note: (text: string) => void insert.run(text),
    notes: () =>
      (database.prepare('SELECT text FROM notes ORDER BY rowid').all() as { text: string }[]).map(
        ({ text }) => text,
      ),
  }
}

const outcomes = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status)

test('writes of the same time share one commit, and are answered after it', async () => {
  const { write, note, notes, said } = await setup()
  const answered = ['one', 'two', 'three'].map(async (text) => {
    await write(() => note(text))
    return said.at(-1)
  })
  expect(notes()).toEqual([])
  expect(await Promise.all(answered)).toEqual(['COMMIT', 'COMMIT', 'COMMIT'])
  expect(said.filter((sql) => sql === 'COMMIT')).toHaveLength(1)
  expect(notes()).toHaveLength(3)
})

test('a write that throws undoes itself alone, and nobody is told of it', async () => {
  const { write, transaction, afterCommit, note, notes } = await setup()
  const told: string[] = []
  const tell = (text: string) => afterCommit(() => void told.push(text))
  const done = await outcomes([
    write(() => {
      note('before')
      tell('before')
    }),
    write(() => {
      transaction(() => note('half'))
      tell('half')
      throw new Error('the other half')
    }),
    write(() => {
      note('after')
      tell('after')
      expect(told).toEqual([])
    }),
  ])
  expect(done).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect([notes(), told]).toEqual([
    ['before', 'after'],
    ['before', 'after'],
  ])
})

test('a commit that fails fails every write in it, refused ones too, and nobody is told', async () => {
  const { write, afterCommit, database, note, notes } = await setup()
  const told: string[] = []
  const asked = [
    write(() => {
      note('one')
      afterCommit(() => void told.push('one'))
    }),
    write(() => {
      throw new Error('refused, for there is a note "one"')
    }),
    write(() =>
      database.exec(
        "PRAGMA defer_foreign_keys = 1; INSERT INTO notes VALUES ('two', 'nothing that there is')",
      ),
    ),
  ]
  for (const one of asked) await expect(one).rejects.toThrow('FOREIGN KEY')
  expect([notes(), told]).toEqual([[], []])
  await write(() => note('later'))
  expect(notes()).toEqual(['later'])
})

test('when SQLite undoes the transaction by itself, as on a full disk, nothing of it is written', async () => {
  const { write, database, note, notes } = await setup()
  note('taken')
  const done = await outcomes([
    write(() => note('before')),
    write(() => database.exec("INSERT OR ROLLBACK INTO notes (text) VALUES ('taken')")),
    write(() => note('after')),
  ])
  expect(done).toEqual(['rejected', 'rejected', 'rejected'])
  expect(notes()).toEqual(['taken'])
})

test('who listens and throws fails the write that it was told of, and no other', async () => {
  const { write, afterCommit, note, notes } = await setup()
  const done = await outcomes([
    write(() => {
      note('one')
      afterCommit(() => {
        throw new Error('could not listen')
      })
    }),
    write(() => note('two')),
  ])
  expect(done).toEqual(['rejected', 'fulfilled'])
  expect(notes()).toEqual(['one', 'two'])
})

test('a transaction of its own is on the disk before what waits, and tells when it is done', async () => {
  const { transaction, afterCommit, write, note, notes, said } = await setup()
  const waits = write(() => note('waits'))
  let toldAfter: string | undefined
  transaction(() => {
    note('at once')
    afterCommit(() => void (toldAfter = said.at(-1)))
  })
  expect([notes(), toldAfter]).toEqual([['at once'], 'COMMIT'])
  await waits
  expect(notes()).toHaveLength(2)
})

test('what waits when the store is closed is written first', async () => {
  const file = temporaryFile()
  const before = await openStore(file)
  const written = before.write(() => before.settings.set('seed', 'kept'))
  before.close()
  await written
  const after = await openStore(file)
  onTestFinished(() => after.close())
  expect(after.settings.get('seed')).toBe('kept')
})
