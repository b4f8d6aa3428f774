import { drive, of, PACE, type Sample, told } from './drive.ts'
import { type Figure, median, medianRatio, type Row } from './figure.ts'
import { filledDatabases } from './filled-sqlite.ts'

const ROUNDS = 5

/**
 * More requests are better. Where nothing but the processor is used, its time is the ratio, since it bears neighbours on
 * the machine; where the disk is waited for, the rate is. Each is told beside the other.
 */
export function faster(
  figure: string,
  against: string,
  [ours, theirs]: readonly [Sample[], Sample[]],
  wanted: string,
  by: 'rate' | 'processor time',
): Row {
  const ratios = {
    rate: medianRatio(of(ours, 'perSecond'), of(theirs, 'perSecond')),
    'processor time': medianRatio(of(theirs, 'cpuMicroseconds'), of(ours, 'cpuMicroseconds')),
  }
  const other = by === 'rate' ? 'processor time' : 'rate'
  const detail = `by ${by}; by ${other} ${ratios[other].toFixed(2)}; ${told(ours)}, against ${told(theirs)}`
  return { figure, against, ratio: ratios[by], wanted, detail }
}

/** The way of a delivery through the server, without a store. */
export const paths: Figure = {
  name: 'paths',
  async measure() {
    const samples = await drive(
      ['Express with express.raw', 'receiver, no work', 'receiver, no store', 'fastify, no store'],
      { rounds: ROUNDS, seconds: 2 },
    )
    const { 'receiver, no work': noWork, 'receiver, no store': noStore } = samples
    return [
      faster(
        "HTTP path of the receiver's server, no work",
        'stock Express 5 with express.raw',
        [noWork, samples['Express with express.raw']],
        '≥ 3 (stretch 4)',
        'processor time',
      ),
      faster(
        'full receiver, no store',
        'fastify doing the same',
        [noStore, samples['fastify, no store']],
        '≥ 0.6 (stretch 0.8)',
        'processor time',
      ),
    ]
  },
}

/** The receiver with its SQLite inbox, on a table that has 200,000 rows. Processing is not running. */
export const onSqlite: Figure = {
  name: 'sqlite',
  async measure() {
    const databases = await filledDatabases()
    try {
      const many = await drive(['bare Express', 'receiver on SQLite', 'one commit a delivery'], {
        rounds: ROUNDS,
        seconds: 2,
        timed: ['bare Express', 'receiver on SQLite'],
        alone: ['receiver on SQLite', 'one commit a delivery'],
        wordsFor: (variant) => databases.copyFor(variant),
      })
      const ours = many['receiver on SQLite']
      return [
        faster(
          'full receiver on SQLite',
          'bare stock Express 5',
          [ours, many['bare Express']],
          '≥ 1.5 (stretch 1.9)',
          'rate',
        ),
        faster(
          'one commit a turn',
          'one commit a delivery',
          [ours, many['one commit a delivery']],
          '≥ 3 (stretch 5)',
          'rate',
        ),
        {
          figure: 'acknowledgement p99, 50 connections',
          against: 'bare stock Express 5',
          ...slower('p99', ours, many['bare Express']),
          wanted: '≤ 0.6 (stretch 0.4)',
        },
        {
          figure: `acknowledgement p99, at ${PACE * 100} % of what Express can`,
          against: 'bare stock Express 5',
          ...slower('pacedP99', ours, many['bare Express']),
          wanted: '',
        },
        {
          figure: 'acknowledgement p50, one client',
          against: 'one commit a delivery',
          ...slower('aloneP50', ours, many['one commit a delivery']),
          wanted: '≤ 1.1',
        },
      ]
    } finally {
      databases.remove()
    }
  },
}

/** Less time is better. */
function slower(
  what: 'aloneP50' | 'p99' | 'pacedP99',
  ours: readonly Sample[],
  theirs: readonly Sample[],
): { ratio: number; detail: string } {
  const ms = (samples: readonly Sample[]) => `${median(of(samples, what)).toFixed(2)} ms`
  return { ratio: medianRatio(of(ours, what), of(theirs, what)), detail: `${ms(ours)} against ${ms(theirs)}` }
}
