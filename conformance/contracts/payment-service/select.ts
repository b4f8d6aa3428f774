import type { Selection } from '../model.ts'
import type { CatalogueCase } from '../webhook/model.ts'
import { type SelectionOptions, selectFrom } from '../webhook/select.ts'
import { CATALOGUE } from './cases/index.ts'
import { CURRENT_VERSION, caseIn, enteredIn } from './requirements/versions.ts'

/**
 * Chooses the cases of a run.
 *
 * @throws HarnessError `nothing_selected` for a pattern that matches no case, or when no case is left.
 */
export const select = (options: SelectionOptions): Selection<CatalogueCase> =>
  selectFrom({ cases: CATALOGUE, current: CURRENT_VERSION, caseIn, enteredIn }, options)
