import { OF_BYPASS, OF_TRUST } from './mistakes/bypass.ts'
import { OF_BYTES } from './mistakes/bytes.ts'
import { OF_CAUSES } from './mistakes/causes.ts'
import { OF_CONTRACT } from './mistakes/contract.ts'
import { OF_DECODING } from './mistakes/decoded.ts'
import { OF_DISCLOSED } from './mistakes/disclosed.ts'
import { OF_EFFECTS } from './mistakes/effects.ts'
import { OF_EVENTS } from './mistakes/events.ts'
import { OF_FIELD_BODY } from './mistakes/field-body.ts'
import { OF_FIELD_EVENTS } from './mistakes/field-events.ts'
import { OF_FIELD_HEADER } from './mistakes/field-header.ts'
import { OF_HANDLING } from './mistakes/handling.ts'
import { OF_HEADER } from './mistakes/header.ts'
import { OF_KEYS } from './mistakes/keys.ts'
import { OF_LOCKS } from './mistakes/locks.ts'
import { OF_LOSS } from './mistakes/loss.ts'
import { OF_MONEY } from './mistakes/money.ts'
import { OF_HISTORY } from './mistakes/payments/history.ts'
import { OF_OVERLAP } from './mistakes/payments/overlap.ts'
import { OF_QUEUES } from './mistakes/payments/queues.ts'
import { OF_REDELIVERED } from './mistakes/payments/redelivered.ts'
import { OF_REFUNDS } from './mistakes/payments/refunds.ts'
import { OF_SERIALIZATION } from './mistakes/serialization.ts'
import { OF_STATES } from './mistakes/states.ts'
import { OF_STRANGERS } from './mistakes/strangers.ts'
import { OF_TIME } from './mistakes/time.ts'
import { OF_UNSIGNED_DATA } from './mistakes/unsigned/data.ts'
import { OF_UNSIGNED_REQUESTS } from './mistakes/unsigned/requests.ts'
import { OF_VERIFICATION } from './mistakes/verification.ts'
import { OF_WIRE } from './mistakes/wire.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, each detected by the cases that it names. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  ...OF_VERIFICATION,
  ...OF_HEADER,
  ...OF_KEYS,
  ...OF_SERIALIZATION,
  ...OF_WIRE,
  ...OF_HANDLING,
  ...OF_EVENTS,
  ...OF_EFFECTS,
  ...OF_BYPASS,
  ...OF_TRUST,
  ...OF_BYTES,
  ...OF_CAUSES,
  ...OF_STATES,
  ...OF_MONEY,
  ...OF_LOSS,
  ...OF_LOCKS,
  ...OF_FIELD_BODY,
  ...OF_FIELD_HEADER,
  ...OF_FIELD_EVENTS,
  ...OF_TIME,
  ...OF_UNSIGNED_DATA,
  ...OF_CONTRACT,
  ...OF_UNSIGNED_REQUESTS,
  ...OF_HISTORY,
  ...OF_REFUNDS,
  ...OF_OVERLAP,
  ...OF_QUEUES,
  ...OF_REDELIVERED,
  ...OF_DISCLOSED,
  ...OF_STRANGERS,
  ...OF_DECODING,
}
