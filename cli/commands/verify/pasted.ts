/** What a developer pastes of a delivery. */
export interface Pasted {
  /** The header lines in it, in order; none if it is something else, such as the value of one. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body that it has after the headers, or as the data of curl. */
  readonly body?: string
}

/** Longer texts are not read, in characters: a signature is explained for bodies of up to 1 MiB. */
const LONGEST = 2 * 1024 * 1024
/** More lines are not read as headers. */
const MOST_HEADERS = 200

/** Reads header lines as curl and logs show them, an entire HTTP request, or a curl command. */
export function readPasted(text: string): Pasted {
  if (text.length > LONGEST) return { headers: [] }
  const read = /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text) ? readCurl(text) : readRequest(text)
  return read.body === undefined || read.body === ''
    ? { headers: read.headers }
    : { ...read, body: withoutRest(read.body, read.headers) }
}

function readRequest(text: string): Pasted {
  const headers: Pasted['headers'][number][] = []
  for (let at = 0; at < text.length && headers.length < MOST_HEADERS; ) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const line = text.slice(at, end).trim()
    at = end + 1
    if (line === '' && headers.length > 0) return { headers, body: text.slice(at) }
    const header = headerIn(line)
    if (header !== undefined) headers.push(header)
  }
  return { headers }
}

/** @param line without spaces at its ends */
function headerIn(line: string): Pasted['headers'][number] | undefined {
  const [, name, value] = /^(?:[<>]\s*)?["']?([\w-]+)["']?\s*:([^]*)$/.exec(line) ?? []
  return name === undefined || value === undefined ? undefined : [name, value.trim()]
}

/** The options of curl for data, and what is put between two of them. */
const DATA: Readonly<Record<string, string>> = {
  '-d': '&',
  '--data': '&',
  '--data-ascii': '&',
  '--data-raw': '&',
  '--data-binary': '&',
  '--json': '',
}

function readCurl(text: string): Pasted {
  const [, ...words] = shellWords(text.trimStart().replace(/^\$\s+/, ''))
  const headers: Pasted['headers'][number][] = []
  let body: string | undefined
  let isInFile = false
  for (let at = 0; at < words.length; at += 1) {
    const [option, attached] = splitOption(words[at] ?? '')
    const joint = DATA[option]
    if (option !== '-H' && option !== '--header' && joint === undefined) continue
    if (attached === undefined) at += 1
    const value = attached ?? words[at] ?? ''
    if (joint === undefined) {
      const header = headerIn(value.trim())
      if (header !== undefined && headers.length < MOST_HEADERS) headers.push(header)
    } else if (value.startsWith('@') && option !== '--data-raw') isInFile = true
    else body = body === undefined ? value : body + joint + value
  }
  return body === undefined || isInFile ? { headers } : { headers, body }
}

/** `-HName: value` has its value attached, and short options without a value may stand before it: `-sSH`. */
function splitOption(word: string): readonly [option: string, attached?: string] {
  const [, letter, attached] = /^-[fs0ik1LS2Ng3v#]*([Hd])([^]*)$/.exec(word) ?? []
  if (letter === undefined) return [word]
  return attached === '' || attached === undefined ? [`-${letter}`] : [`-${letter}`, attached]
}

const SPACE = /[ \t\r\n]+/y
const PIECE =
  /\\\r?\n|\\([^])|'([^']*)'|\$'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|([^ \t\r\n\\'"$;|&<>]+|\$)/y

/** The words of the first command in a text, as a POSIX shell or bash reads them, without expansions. */
function shellWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; ) {
    SPACE.lastIndex = at
    if (SPACE.test(text)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at = SPACE.lastIndex
      continue
    }
    PIECE.lastIndex = at
    const piece = PIECE.exec(text)
    if (piece === null) break
    at = PIECE.lastIndex
    const [, escaped, single, ansi, double, plain] = piece
    const own =
      escaped ?? single ?? (ansi === undefined ? undefined : unescaped(ansi)) ?? unquoted(double) ?? plain
    // A backslash at the end of a line joins it with the next one.
    if (own !== undefined) word = (word ?? '') + own
  }
  return word === undefined ? words : [...words, word]
}

const unquoted = (double: string | undefined): string | undefined =>
  double?.replaceAll(/\\(?:\r?\n|(["\\$`]))/g, (_, kept: string | undefined) => kept ?? '')

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
}

/** The text in `$'…'` of bash, as browsers copy requests with line breaks or characters that are not ASCII. */
const unescaped = (ansi: string): string =>
  ansi.replaceAll(
    /((?:\\x[\da-fA-F]{1,2})+)|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([^])/g,
    (all, bytes: string | undefined, short: string | undefined, long: string | undefined, one: string) => {
      if (bytes !== undefined) {
        const values = bytes.slice(2).split('\\x')
        return new TextDecoder().decode(Uint8Array.from(values, (digits) => Number.parseInt(digits, 16)))
      }
      const digits = short ?? long
      if (digits === undefined) return ESCAPES[one] ?? one
      const code = Number.parseInt(digits, 16)
      return code > 0x10ffff ? all : String.fromCodePoint(code)
    },
  )

/** The body without the line breaks that were copied with it, where Content-Length says how long it is. */
function withoutRest(body: string, headers: Pasted['headers']): string {
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1])
  const rest = new TextEncoder().encode(body).length - length
  return rest > 0 && /^[\r\n]+$/.test(body.slice(-rest)) ? body.slice(0, -rest) : body
}
