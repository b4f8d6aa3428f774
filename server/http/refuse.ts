import { type ServerResponse, STATUS_CODES } from 'node:http'
import { allRefusals, type RefusalCode } from './refusals.ts'

/** Answers a request with the status and the message of a code, as JSON. */
export function refuse(response: ServerResponse, code: RefusalCode): void {
  const { status, message } = allRefusals[code]
  const body = JSON.stringify({ error: message, code })
  const headers = { 'Content-Type': TYPE, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, headers).end(body)
}

/** The same answer as bytes, for a connection on which Node.js could not parse a request. It closes the connection. */
export function refusalBytes(code: RefusalCode): Buffer {
  const { status, message } = allRefusals[code]
  const body = JSON.stringify({ error: message, code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const TYPE = 'application/json; charset=utf-8'
