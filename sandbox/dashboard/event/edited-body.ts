import type { Request } from 'express'
import { fields } from '../../pages/index.ts'

/** The body that a person edited. Browsers send a line break in a form as CR LF; it was typed as LF. */
export function editedBody(request: Pick<Request, 'body'>): string {
  const [given = ''] = fields(request, 'body')
  return given.replaceAll('\r\n', '\n')
}
