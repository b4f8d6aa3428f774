import type { CauseData, Said } from '../../../diagnosis/statement.ts'
import type { Terms } from '../../../diagnosis/verifier.ts'
import { BODY_FORMS, BODY_WORDS } from './body.ts'
import { EFFECTS_FORMS, EFFECTS_WORDS } from './effects.ts'
import { RESPONSES_FORMS, RESPONSES_WORDS } from './responses.ts'
import { RUN_WORDS } from './run.ts'
import { SIGNATURE_FORMS, SIGNATURE_WORDS } from './signature.ts'
import { type CauseTerms, causeTermsOf, type Forms, type Text, type Words } from './words.ts'

const WORDS: Words = {
  ...BODY_WORDS,
  ...EFFECTS_WORDS,
  ...RESPONSES_WORDS,
  ...RUN_WORDS,
  ...SIGNATURE_WORDS,
}
const FORMS: Forms = { ...BODY_FORMS, ...EFFECTS_FORMS, ...RESPONSES_FORMS, ...SIGNATURE_FORMS }
const ALL: Words & Forms = { ...WORDS, ...FORMS }

/** What a report says of a cause. */
export function causeText({ code, data }: Said, service: Terms): Text {
  // The code of the data chooses the function for it.
  return (ALL[code] as (data: unknown, of: CauseTerms) => Text)(data, causeTermsOf(service))
}

/** What always holds of a cause; undefined for a mistake that has words for each of its forms only. */
export function generalText(code: string, service: Terms): Text | undefined {
  return Object.hasOwn(WORDS, code)
    ? WORDS[code as keyof CauseData](undefined, causeTermsOf(service))
    : undefined
}
