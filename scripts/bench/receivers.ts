import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteInbox } from '@hookproof/receiver/sqlite'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { median } from '../shared/numbers.ts'
import { createTemporaryFolder } from '../shared/temporary-folder.ts'
import { describe, drive, FIXED_RATE_SHARE, type Sample, valuesOf } from './drive.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'

const ROWS = 200_000

/** Copies of one inbox with 200,000 events, since an empty one would be unrealistically fast. */
async function filledDatabases() {
  const folder = createTemporaryFolder()
  const filled = join(folder.path, 'filled.sqlite')
  const inbox = await sqliteInbox({ path: filled })
  const insert = inbox.database.prepare(
    `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at, state) VALUES (?, ?, ?, ?, ?, ?, 'done')`,
  )
  const body = serialize(createGenerator('filled').event('completed'))
  inbox.database.exec('BEGIN')
  for (let count = 0; count < ROWS; count += 1) {
    const id = `tx_${randomBytes(15).toString('base64url')}`
    const key = JSON.stringify([id, 'payment.completed'])
    insert.run(key, id, 'payment.completed', body, 1_750_000_000, 1_750_000_000_000)
  }
  inbox.database.exec('COMMIT')
  await inbox.close()

  const copy = join(folder.path, 'inbox.sqlite')
  return {
    /** Makes a new copy. @returns the arguments that pass it to a server; none for a server without a database */
    copyFor(variant: string) {
      if (variant === 'bare Express') return []
      for (const suffix of ['-wal', '-shm']) rmSync(copy + suffix, { force: true })
      copyFileSync(filled, copy)
      return [copy]
    },
    remove: () => folder.remove(),
  }
}

const ROUNDS = roundsOf(5)

/**
 * Compares two variants; a higher ratio is better. If a variant only uses the CPU, the ratio is that of the CPU times,
 * which other load on the machine hardly affects; if it waits for the disk, the ratio is that of the rates. The details
 * contain both.
 */
function compareThroughput(
  figure: string,
  baseline: string,
  [ours, theirs]: readonly [Sample[], Sample[]],
  target: string,
  by: 'rate' | 'CPU time',
): Row {
  const ratios = {
    rate: medianRatio(valuesOf(ours, 'perSecond'), valuesOf(theirs, 'perSecond')),
    'CPU time': medianRatio(valuesOf(theirs, 'cpuMicroseconds'), valuesOf(ours, 'cpuMicroseconds')),
  }
  const other = by === 'rate' ? 'CPU time' : 'rate'
  const details = `by ${by}; by ${other} ${ratios[other].toFixed(2)}; ${describe(ours)}, vs. ${describe(theirs)}`
  return { figure, baseline, ratio: ratios[by], target, details }
}

/** The receiver's HTTP path, without a database. */
export const paths: Figure = {
  name: 'paths',
  async measure() {
    const samples = await drive(
      ['Express with express.raw', 'receiver, no work', 'receiver, no database', 'fastify, no database'],
      { rounds: ROUNDS, seconds: 2 },
    )
    const { 'receiver, no work': noWork, 'receiver, no database': noDatabase } = samples
    return [
      compareThroughput(
        "the receiver's HTTP path, no work",
        'Express 5 with express.raw',
        [noWork, samples['Express with express.raw']],
        '≥ 3 (stretch 4)',
        'CPU time',
      ),
      compareThroughput(
        'full receiver, no database',
        'Fastify doing the same',
        [noDatabase, samples['fastify, no database']],
        '≥ 0.6 (stretch 0.8)',
        'CPU time',
      ),
    ]
  },
}

/** The receiver with its SQLite inbox of 200,000 events, without processing. */
export const onSqlite: Figure = {
  name: 'sqlite',
  async measure() {
    const databases = await filledDatabases()
    try {
      const many = await drive(['bare Express', 'receiver on SQLite', 'one commit per delivery'], {
        rounds: ROUNDS,
        seconds: 2,
        timed: ['bare Express', 'receiver on SQLite'],
        singleClient: ['receiver on SQLite', 'one commit per delivery'],
        argsFor: (variant) => databases.copyFor(variant),
      })
      const ours = many['receiver on SQLite']
      return [
        compareThroughput(
          'full receiver on SQLite',
          'bare Express 5',
          [ours, many['bare Express']],
          '≥ 1.5 (stretch 1.9)',
          'rate',
        ),
        compareThroughput(
          'one commit per event loop turn',
          'one commit per delivery',
          [ours, many['one commit per delivery']],
          '≥ 3 (stretch 5)',
          'rate',
        ),
        {
          figure: 'acknowledgment p99, 50 connections',
          baseline: 'bare Express 5',
          ...compareLatency('p99', ours, many['bare Express']),
          target: '≤ 0.5 (stretch 0.4)',
        },
        {
          figure: `acknowledgment p99, at ${FIXED_RATE_SHARE * 100}% of Express's capacity`,
          baseline: 'bare Express 5',
          ...compareLatency('fixedRateP99', ours, many['bare Express']),
          target: '≤ 1',
        },
        {
          figure: 'acknowledgment p50, one client',
          baseline: 'one commit per delivery',
          ...compareLatency('singleClientP50', ours, many['one commit per delivery']),
          target: '≤ 1.1',
        },
      ]
    } finally {
      databases.remove()
    }
  },
}

/** A lower ratio is better. */
function compareLatency(
  measurement: 'singleClientP50' | 'p99' | 'fixedRateP99',
  ours: readonly Sample[],
  theirs: readonly Sample[],
): { ratio: number; details: string } {
  const ms = (samples: readonly Sample[]) => `${median(valuesOf(samples, measurement)).toFixed(2)} ms`
  return {
    ratio: medianRatio(valuesOf(ours, measurement), valuesOf(theirs, measurement)),
    details: `${ms(ours)} vs. ${ms(theirs)}`,
  }
}
