import type { Mutant } from './mutant.ts'
import { OF_BYPASS, OF_TRUST } from './of-bypass.ts'
import { OF_BYTES } from './of-bytes.ts'
import { OF_CAUSES } from './of-causes.ts'
import { OF_CONTRACT } from './of-contract.ts'
import { OF_EFFECTS } from './of-effects.ts'
import { OF_EVENTS } from './of-events.ts'
import { OF_FIELD_BODY } from './of-field-body.ts'
import { OF_FIELD_EVENTS } from './of-field-events.ts'
import { OF_FIELD_HEADER } from './of-field-header.ts'
import { OF_HANDLING } from './of-handling.ts'
import { OF_HEADER } from './of-header.ts'
import { OF_KEYS } from './of-keys.ts'
import { OF_LOSS } from './of-loss.ts'
import { OF_MONEY } from './of-money.ts'
import { OF_SERIALIZATION } from './of-serialization.ts'
import { OF_STATES } from './of-states.ts'
import { OF_TIME } from './of-time.ts'
import { OF_VERIFICATION } from './of-verification.ts'
import { OF_WIRE } from './of-wire.ts'

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
  ...OF_FIELD_BODY,
  ...OF_FIELD_HEADER,
  ...OF_FIELD_EVENTS,
  ...OF_TIME,
  ...OF_CONTRACT,
}
