import type { Response } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'

/**
 * Answers with a body that its schema allows.
 * @throws Error if it does not: the fault is then the sandbox's, and the sender gets a 500
 */
export function answer(response: Response, status: number, schema: SchemaName, body: object): void {
  const found = validate(schema, body)
  if (found.length > 0) throw new Error(`an answer does not fit ${schema}.json: ${explain(found)}`)
  response.status(status).json(body)
}
