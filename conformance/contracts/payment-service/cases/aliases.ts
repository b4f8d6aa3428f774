import { CATALOGUE, type CaseId } from './index.ts'

/** The old ids of renamed cases. Ids that were ever released stay valid, so entries are only added. */
export const ALIASES: Readonly<Record<string, CaseId>> = {
  'transport/genuine-after-refused-on-one-connection': 'transport/valid-after-refused-on-one-connection',
  'signature-header/right-signature-under-v0': 'signature-header/valid-signature-under-v0',
  'signature-header/right-signature-under-v11': 'signature-header/valid-signature-under-v11',
  'signature-header/v1-prolonged': 'signature-header/v1-too-long',
  'signature-header/v1-twice-right-one-first': 'signature-header/v1-twice-valid-one-first',
  'signature-header/v1-twice-right-one-last': 'signature-header/v1-twice-valid-one-last',
  'signature-header/two-header-lines-one-right': 'signature-header/two-header-lines-one-valid',
  'body-bytes/line-breaks-of-windows': 'body-bytes/windows-line-breaks',
  'body-bytes/number-written-otherwise': 'body-bytes/number-reformatted',
  'duplicates/signed-anew': 'duplicates/signed-again',
  'duplicates/written-anew': 'duplicates/reserialized',
  'duplicates/payments-that-are-alike': 'duplicates/similar-payments',
}

/** The current id of a case, and the old one if that was given. */
export interface ResolvedCaseId {
  readonly id: string
  readonly alias?: string
}

/** Finds the current id for an id or an old id; undefined when no case has it. */
export function resolveCaseId(id: string): ResolvedCaseId | undefined {
  const renamed = Object.hasOwn(ALIASES, id) ? ALIASES[id] : undefined
  if (renamed !== undefined) return { id: renamed, alias: id }
  return CATALOGUE.some((testCase) => testCase.id === id) ? { id } : undefined
}

/** The notice for a user who gave an old id. */
export function renamedNotice(alias: string, id: string): string {
  return `"${alias}" was renamed "${id}"`
}
