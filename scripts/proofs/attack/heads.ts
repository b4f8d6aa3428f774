/** Without the secret, an attacker can only guess a signature. */
const GUESS = '0'.repeat(64)

/** The head of a delivery with a forged signature, without the blank line that ends it. */
export const forgedHead = (...headers: readonly string[]): string =>
  [
    'POST /webhooks HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Service-Signature: t=${Math.floor(Date.now() / 1000)},v1=${GUESS}`,
    ...headers,
    '',
  ].join('\r\n')

/** The head of a forged delivery whose body has a length. */
export const forgedHeadOf = (length: number, ...headers: readonly string[]): string =>
  `${forgedHead(`Content-Length: ${length}`, ...headers)}\r\n`

export const CHUNKED = 'Transfer-Encoding: chunked'
export const MIB = 1024 * 1024
