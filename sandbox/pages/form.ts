import express, { type Request, type RequestHandler } from 'express'
import { limitChunks } from '../http/chunk-limit.ts'

/** Parses a form, and closes the connection of one that comes in tiny chunks. @param limit its largest size */
const formOf = (limit: string): RequestHandler[] => [
  limitChunks,
  express.urlencoded({ extended: false, limit }),
]

/** Parses the form of a page that only the owner of the sandbox may use: it may contain an edited event. */
export const formBody = formOf('1mb')

/** Parses the form of a page that others may use: a few short fields. */
export const shortFormBody = formOf('16kb')

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
