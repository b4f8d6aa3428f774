import {
  abortedUploads,
  endlessChunks,
  forgedMegabytes,
  gzipBombs,
  heldBodies,
  heldBodiesFromEverywhere,
  oneByteChunks,
} from './bodies.ts'
import { idleFlood, keepAliveFlood, slowBodies, slowHeaders } from './connections.ts'
import { MIB } from './heads.ts'
import { announcedGigabytes, manyHeaders, pipelining } from './requests.ts'
import type { Effort, Target } from './target.ts'

/** An attack by clients that do not have the secret. */
export interface Attack {
  /** Attacks until the signal of the target. */
  readonly run: (target: Target) => Promise<void>
  /** What must have been done, or the attack proves nothing. */
  readonly least: Partial<Effort>
  /** The share of valid deliveries that may be lost; 0 by default. */
  readonly mayLose?: number
  /** How much the memory of the receiver may grow, in MiB; without it only the bound of all attacks applies. */
  readonly mayGrowMiB?: number
}

/** The default of MAX_HELD_BYTES plus 64 MiB. */
const HELD_PLUS_64_MIB = 128

/** First the attack whose growth is bounded, so that it meets a receiver that has not grown yet. */
export const ATTACKS = {
  'one-byte chunks': {
    run: oneByteChunks,
    least: { opened: 64, bytes: 4 * MIB },
    mayGrowMiB: HELD_PLUS_64_MIB,
  },
  'held bodies': { run: heldBodies, least: { opened: 100, bytes: 64 * MIB }, mayLose: 0.01 },
  'held bodies, 100 addresses': {
    run: heldBodiesFromEverywhere,
    least: { opened: 100, bytes: 64 * MIB },
    mayLose: 0.01,
  },
  'endless chunks': { run: endlessChunks, least: { opened: 64, bytes: 64 * MIB } },
  'forged megabytes': { run: forgedMegabytes, least: { requests: 100, bytes: 100 * MIB } },
  'gzip bombs': { run: gzipBombs, least: { requests: 100, bytes: 50 * MIB } },
  'aborted uploads': { run: abortedUploads, least: { opened: 200, bytes: 50 * MIB } },
  'announced gigabytes': { run: announcedGigabytes, least: { requests: 500, answers: 500 } },
  pipelining: { run: pipelining, least: { opened: 40, requests: 4000 } },
  'thousands of headers': { run: manyHeaders, least: { requests: 200, answers: 100 } },
  'slow headers': { run: slowHeaders, least: { opened: 1000, requests: 1000 } },
  'slow bodies': { run: slowBodies, least: { opened: 1000, requests: 1000 } },
  'idle flood': { run: idleFlood, least: { opened: 5000 } },
  'keep-alive flood': { run: keepAliveFlood, least: { opened: 5000, requests: 5000 } },
} as const satisfies Readonly<Record<string, Attack>>

export type AttackName = keyof typeof ATTACKS
