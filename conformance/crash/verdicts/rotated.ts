import type { Rotation } from '../secrets/rotation.ts'
import type { Sent } from '../send.ts'
import { type Found, toExchange } from './found.ts'

const NOT_ASKED: Found = { excluded: 'needs `--rotate-env`, for a receiver that can have two secrets' }
const ELSEWHERE: Found = {
  excluded: 'needs a receiver that gets its secret from nothing but its environment',
}

/** Judges whether a receiver with two secrets accepts both (SPEC.md 5.20). */
export function acceptsBoth(rotation: Rotation | undefined): Found {
  if (rotation === undefined) return NOT_ASKED
  const unfit = unfitFor(rotation)
  if (unfit !== undefined) return unfit
  const { both } = rotation
  if (both === undefined) return { reason: 'started with two secrets, the receiver did not listen' }
  const { old, fresh } = both
  if (isAccepted(old) && isAccepted(fresh)) return {}
  const asOne = both.asOne.find(isAccepted)
  if (asOne !== undefined)
    return {
      problems: ['started with two secrets, the receiver used the text of both as one secret'],
      exchanges: [old, fresh, asOne].map(toExchange),
    }
  if (!isAccepted(old) && !isAccepted(fresh))
    return {
      reason: `started with two secrets, the receiver accepted neither: ${answerOf(old)} to the old one; write the value of --rotate-env as the receiver reads it`,
    }
  const { accepted, other, refused } = isAccepted(old)
    ? { accepted: 'old', other: 'new', refused: fresh }
    : { accepted: 'new', other: 'old', refused: old }
  return {
    problems: [
      `started with two secrets, the receiver accepted a delivery signed with the ${accepted} one, and answered ${answerOf(refused)} to one signed with the ${other} one`,
    ],
    exchanges: [toExchange(refused)],
  }
}

/** Judges whether a receiver refuses the old secret once it is removed (SPEC.md 5.1). */
export function refusesOld(rotation: Rotation | undefined): Found {
  if (rotation === undefined) return NOT_ASKED
  const unfit = unfitFor(rotation)
  if (unfit !== undefined) return unfit
  const old = rotation.after?.old
  if (old?.status === undefined)
    return { reason: `after the rotation, there was ${old?.error ?? 'no response'} to the old secret` }
  if (old.status < 200 || old.status > 299) return {}
  return {
    problems: [
      `started with the new secret alone, the receiver answered ${old.status} to a delivery signed with the old one`,
    ],
    exchanges: [toExchange(old)],
  }
}

/** Why nothing can be judged: the new secret has not replaced the old one. */
function unfitFor({ after }: Rotation): Found | undefined {
  if (after === undefined)
    return {
      reason: 'started with a new secret alone, the receiver did not listen: does it accept any secret?',
    }
  if (isAccepted(after.fresh)) return undefined
  if (isAccepted(after.old)) return ELSEWHERE
  return {
    reason: `started with a new secret alone, the receiver answered ${answerOf(after.fresh)} to a delivery signed with it`,
  }
}

const isAccepted = ({ status }: Sent): boolean => status === 200

const answerOf = ({ status, error }: Sent): string =>
  status === undefined ? (error ?? 'nothing') : String(status)
