import type { CatalogueCase, Section } from '../../webhook/model.ts'
import { casesOf } from '../../webhook/section.ts'
import { CONTRACT } from '../requirements/contract.generated.ts'
import { acknowledgement } from './acknowledgement.ts'
import { bodyBytes } from './body-bytes/index.ts'
import { bypass } from './bypass/index.ts'
import { disclosure } from './disclosure.ts'
import { duplicates } from './duplicates/index.ts'
import { effects } from './effects/index.ts'
import { events } from './events.ts'
import { refusals } from './refusals/index.ts'
import { robustness } from './robustness/index.ts'
import { signatureHeader } from './signature-header/index.ts'
import { timeWindow } from './time-window.ts'
import { transport } from './transport.ts'

const sections = [
  transport,
  signatureHeader,
  timeWindow,
  bodyBytes,
  refusals,
  acknowledgement,
  duplicates,
  events,
  effects,
  robustness,
  disclosure,
  bypass,
] as const

type IdsOf<S> = S extends Section<infer Id, infer Name> ? `${Id}/${Name}` : never

/** The id of a case: a name, never a position. */
export type CaseId = IdsOf<(typeof sections)[number]>

/** Every case, in the order of SPEC.md. */
export const CATALOGUE: readonly CatalogueCase[] = sections.flatMap((section) => casesOf(section, CONTRACT))

/** The sections in the order of SPEC.md. */
export const SECTIONS: readonly { readonly id: string; readonly title: string }[] = sections
