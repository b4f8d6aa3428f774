import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../sandbox/store/database.ts'
import type { Database } from '../../../sandbox/store/sqlite.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { transactionsOf } from '../../../sandbox/store/transactions.ts'
import { temporaryFile } from '../support.ts'

/** Transactions on a table of notes, and the executed statements. */
async function setup() {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY, about TEXT REFERENCES notes (text))')
  const statements: string[] = []
  const exec = (sql: string) => {
    statements.push(sql)
    database.exec(sql)
  }
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)')
  return {
    ...transactionsOf({ exec } as unknown as Database),
    database,
    statements,
    note: (text: string) => void insert.run(text),
    notes: () =>
      (database.prepare('SELECT text FROM notes ORDER BY rowid').all() as { text: string }[]).map(
        ({ text }) => text,
      ),
  }
}

const outcomes = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status)

test('concurrent writes share one commit, and resolve after it', async () => {
  const { write, note, notes, statements } = await setup()
  const lastStatements = ['one', 'two', 'three'].map(async (text) => {
    await write(() => note(text))
    return statements.at(-1)
  })
  expect(notes()).toEqual([])
  expect(await Promise.all(lastStatements)).toEqual(['COMMIT', 'COMMIT', 'COMMIT'])
  expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1)
  expect(notes()).toHaveLength(3)
})

test('a write that throws rolls back only itself, and does not run its callbacks', async () => {
  const { write, transaction, afterCommit, note, notes } = await setup()
  const called: string[] = []
  const call = (text: string) => afterCommit(() => void called.push(text))
  const done = await outcomes([
    write(() => {
      note('before')
      call('before')
    }),
    write(() => {
      transaction(() => note('half'))
      call('half')
      throw new Error('the other half')
    }),
    write(() => {
      note('after')
      call('after')
      expect(called).toEqual([])
    }),
  ])
  expect(done).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect([notes(), called]).toEqual([
    ['before', 'after'],
    ['before', 'after'],
  ])
})

test('a failed commit rejects every write in it, and runs no callback', async () => {
  const { write, afterCommit, database, note, notes } = await setup()
  const called: string[] = []
  const writes = [
    write(() => {
      note('one')
      afterCommit(() => void called.push('one'))
    }),
    write(() => {
      throw new Error('rejected, since a note "one" exists')
    }),
    write(() => database.exec("PRAGMA defer_foreign_keys = 1; INSERT INTO notes VALUES ('two', 'missing')")),
  ]
  for (const write of writes) await expect(write).rejects.toThrow('FOREIGN KEY')
  expect([notes(), called]).toEqual([[], []])
  await write(() => note('later'))
  expect(notes()).toEqual(['later'])
})

test('when SQLite rolls back by itself, as on a full disk, nothing is written', async () => {
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

test('a callback that throws rejects its own write only', async () => {
  const { write, afterCommit, note, notes } = await setup()
  const done = await outcomes([
    write(() => {
      note('one')
      afterCommit(() => {
        throw new Error('callback failed')
      })
    }),
    write(() => note('two')),
  ])
  expect(done).toEqual(['rejected', 'fulfilled'])
  expect(notes()).toEqual(['one', 'two'])
})

test('a transaction commits before waiting writes, and runs its callbacks after the commit', async () => {
  const { transaction, afterCommit, write, note, notes, statements } = await setup()
  const waits = write(() => note('waits'))
  let calledAfter: string | undefined
  transaction(() => {
    note('at once')
    afterCommit(() => void (calledAfter = statements.at(-1)))
  })
  expect([notes(), calledAfter]).toEqual([['at once'], 'COMMIT'])
  await waits
  expect(notes()).toHaveLength(2)
})

test('closing the store commits waiting writes first', async () => {
  const file = temporaryFile()
  const before = await openStore(file)
  const written = before.write(() => before.settings.set('seed', 'kept'))
  before.close()
  await written
  const after = await openStore(file)
  onTestFinished(() => after.close())
  expect(after.settings.get('seed')).toBe('kept')
})
