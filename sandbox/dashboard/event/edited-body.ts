import type { Request } from 'express'
import { fields } from '../../pages/index.ts'

/** The body that a person wrote, as it was typed: a browser sends each line break of a form as two characters. */
export function editedText(request: Pick<Request, 'body'>): string {
  const [given = ''] = fields(request, 'body')
  return given.replaceAll('\r\n', '\n')
}
