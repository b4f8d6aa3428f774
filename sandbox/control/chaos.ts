import { ApiError } from '../api/errors.ts'
import { type Chaos, readChaos } from '../deliveries/index.ts'

/** The chaos of a request body, if it has any. @throws ApiError if it is invalid */
export function chaosOf({ chaos }: { readonly chaos?: unknown }): { chaos?: Chaos } {
  if (chaos === undefined) return {}
  try {
    return { chaos: readChaos(chaos) }
  } catch (error) {
    throw new ApiError(400, (error as Error).message)
  }
}
