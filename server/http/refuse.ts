import { type ServerResponse, STATUS_CODES } from 'node:http'
import { type Answer, refuse as answerTo, WebhookError } from '@hookproof/receiver'
import { allRefusals, type RefusalCode } from './refusals.ts'

/** Prepared, because anyone can cause them as often as they like. */
const ANSWERS = Object.fromEntries(
  Object.entries(allRefusals).map(([code, refusal]) => [code, answerTo(new WebhookError(code, refusal))]),
) as Readonly<Record<RefusalCode, Answer>>

/** Answers a request with the status and the message of a code, as JSON. */
export function refuse(response: ServerResponse, code: RefusalCode): void {
  const { status, headers, body } = ANSWERS[code]
  response.writeHead(status, headers).end(body)
}

/** The same answer as bytes, for a connection on which Node.js could not parse a request. It closes the connection. */
export function refusalBytes(code: RefusalCode): Buffer {
  const { status, headers, body } = ANSWERS[code]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', ...lines]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
