import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../sandbox/store/database.ts'
import type { Database } from '../../../sandbox/store/sqlite.ts'
import { transactionsOf } from '../../../sandbox/store/transactions.ts'

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

test('a transaction inside another is a part of it, and callbacks run after the commit', async () => {
  const { transaction, afterCommit, note, notes, statements } = await setup()
  const called: string[] = []
  transaction(() => {
    note('one')
    transaction(() => {
      note('two')
      afterCommit(() => void called.push(statements.at(-1) ?? ''))
    })
    expect(called).toEqual([])
  })
  expect([notes(), called]).toEqual([['one', 'two'], ['COMMIT']])
  afterCommit(() => void called.push('at once'))
  expect(called).toEqual(['COMMIT', 'at once'])
})

test('a transaction that throws writes nothing, and runs no callback', async () => {
  const { transaction, afterCommit, note, notes } = await setup()
  const called: string[] = []
  const half = () => {
    note('half')
    afterCommit(() => void called.push('half'))
    throw new Error('the other half')
  }
  expect(() => transaction(half)).toThrow('the other half')
  expect([notes(), called]).toEqual([[], []])
  transaction(() => note('later'))
  expect(notes()).toEqual(['later'])
})

test('a commit that fails writes nothing, and runs no callback', async () => {
  const { transaction, afterCommit, database, notes } = await setup()
  const called: string[] = []
  const broken = () => {
    afterCommit(() => void called.push('broken'))
    database.exec("PRAGMA defer_foreign_keys = 1; INSERT INTO notes VALUES ('two', 'missing')")
  }
  expect(() => transaction(broken)).toThrow('FOREIGN KEY')
  expect([notes(), called]).toEqual([[], []])
})

test('when SQLite rolls back by itself, as on a full disk, nothing is written', async () => {
  const { transaction, database, note, notes } = await setup()
  note('taken')
  const work = () => {
    note('before')
    database.exec("INSERT OR ROLLBACK INTO notes (text) VALUES ('taken')")
  }
  expect(() => transaction(work)).toThrow('UNIQUE')
  expect(notes()).toEqual(['taken'])
})
