/** Printers of bytes leave out what follows the fiftieth; the prefix of a secret takes six of them. */
const PRINTED_BYTES = 44

/** Something that a text contains or not; each character of the text is one byte. */
export interface Pattern {
  readonly test: (text: string) => boolean
}

/**
 * Finds bytes in a text in any usual encoding: as they are, escaped for JSON, HTML or a URL, in base64 or base64url at any
 * offset, in hexadecimal with or without separators, or as a list of numbers, as languages print bytes. A search takes
 * time in proportion to the text.
 */
export function encoded(bytes: Buffer): Pattern {
  const plain = bytes.toString('latin1').toLowerCase()
  const base64 = [0, 1, 2].flatMap((offset) => base64At(bytes, offset))
  const hex = bytes.subarray(0, PRINTED_BYTES).toString('hex')
  const printed = [...bytes.subarray(0, PRINTED_BYTES)]
  // Java prints signed bytes; their minus signs are separators here.
  const lists = [printed, printed.map((byte) => (byte > 127 ? 256 - byte : byte))].map(
    (numbers) => `,${numbers.join(',')},`,
  )
  return {
    test: (text) =>
      [text, ...unescaped(text)].some(
        (one) => one.toLowerCase().includes(plain) || base64.some((form) => one.includes(form)),
      ) ||
      (text.length >= hex.length && hexadecimalIn(text).includes(hex)) ||
      lists.some((list) => text.length >= list.length - 2 && numbersIn(text).includes(list)),
  }
}

/** What is the same in base64 whatever precedes the bytes by `offset` and follows them, in both alphabets. */
function base64At(bytes: Buffer, offset: number): string[] {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const own = all.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text without the escapes of JSON, HTML and URLs; nothing where it has none. */
function unescaped(text: string): string[] {
  if (!/[%\\&]/.test(text)) return []
  const from = (code: string, radix: number) =>
    String.fromCodePoint(Math.min(Number.parseInt(code, radix), 0xffff))
  return [
    text
      .replace(/(?:%|\\x|\\u00)([\da-f]{2})/gi, (_, code: string) => from(code, 16))
      .replace(/&#x([\da-f]{1,4});/gi, (_, code: string) => from(code, 16))
      .replace(/&#(\d{1,5});/g, (_, code: string) => from(code, 10))
      .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => NAMED[name] ?? '')
      .replace(/\\(.)/g, '$1'),
  ]
}

function hexadecimalIn(text: string): string {
  return text.toLowerCase().replace(/0x|[^\da-f]/g, '')
}

function numbersIn(text: string): string {
  return `,${text.replace(/\D+/g, ',')},`
}
