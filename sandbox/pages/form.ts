import express, { type Request, type RequestHandler } from 'express'

/** The largest form that is read: an event edited by hand stands in one. */
const FORM_LIMIT = '1mb'

/** Reads the body of a form. */
export const formBody: RequestHandler = express.urlencoded({ extended: false, limit: FORM_LIMIT })

/** The value of a field, without spaces around it; the first when it came more than once, empty when it did not come. */
export const field = ({ body }: Pick<Request, 'body'>, name: string): string =>
  (fields({ body }, name)[0] ?? '').trim()

/** All values of a field that may come more than once, such as a group of checkboxes. */
export function fields({ body }: Pick<Request, 'body'>, name: string): string[] {
  const form = (body ?? {}) as Record<string, unknown>
  return [Object.hasOwn(form, name) ? form[name] : []]
    .flat()
    .filter((value): value is string => typeof value === 'string')
}
