import express, { type Request, type RequestHandler } from 'express'

/** The largest form that is accepted: it may hold an edited event. */
const FORM_LIMIT = '1mb'

/** Parses the body of a form. */
export const formBody: RequestHandler = express.urlencoded({ extended: false, limit: FORM_LIMIT })

/** The trimmed value of a form field: the first one of several, or an empty string if there is none. */
export const field = ({ body }: Pick<Request, 'body'>, name: string): string =>
  (fields({ body }, name)[0] ?? '').trim()

/** All values of a field that may be repeated, such as a group of checkboxes. */
export function fields({ body }: Pick<Request, 'body'>, name: string): string[] {
  const form = (body ?? {}) as Record<string, unknown>
  return [Object.hasOwn(form, name) ? form[name] : []]
    .flat()
    .filter((value): value is string => typeof value === 'string')
}
