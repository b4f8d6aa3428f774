import { ApiError } from '../api/errors.ts'
import { type Chaos, readChaos } from '../deliveries/index.ts'

/** The chaos that a body asks for, if it does. @throws ApiError when it can not be granted */
export function chaosOf({ chaos }: { readonly chaos?: unknown }): { chaos?: Chaos } {
  if (chaos === undefined) return {}
  try {
    return { chaos: readChaos(chaos) }
  } catch (error) {
    throw new ApiError(400, (error as Error).message)
  }
}
