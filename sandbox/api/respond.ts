import type { Response } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'

/**
 * Responds with a body after validating it against its schema.
 * @throws Error if it is invalid: that is a bug of the sandbox, and the client gets a 500
 */
export function respond(response: Response, status: number, schema: SchemaName, body: object): void {
  const found = validate(schema, body)
  if (found.length > 0) throw new Error(`a response does not match ${schema}.json: ${explain(found)}`)
  response.status(status).json(body)
}
