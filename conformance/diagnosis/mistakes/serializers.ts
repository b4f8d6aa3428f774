/** How a JSON library writes a value: undefined when it would depend on more than the value. */
export type Serialize = (value: unknown) => string

interface Style {
  readonly comma: string
  readonly colon: string
  readonly text: (plain: string) => string
  readonly sorted: boolean
}

/** Each half of a surrogate pair has its own escape. */
const escaped =
  (characters: RegExp, write = (code: string) => code) =>
  (text: string) =>
    text.replace(characters, (unit) => `\\u${write(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)
const uppercase = (code: string) => code.toUpperCase()
const escapedBeyondAscii = escaped(/[^\0-\x7e]/g)
const escapedForHtml = escaped(/[<>&\u2028\u2029]/g)

// Unlike that of JavaScript, it writes numbers and keys that look like integers as they were.
const COMPACT = 'a compact serializer, such as that of Ruby or Java'
// A struct of Go keeps the order of its fields, so both write the same bytes.
const RAILS = 'json.Marshal of a struct in Go, or to_json of Rails'
// Jackson escapes what has four bytes in UTF-8 when it writes bytes, and not when it writes text.
const JACKSON = 'writeValueAsBytes of Jackson for Java'

/** The libraries that refuse a body which is not UTF-8. The others replace its wrong bytes. */
export const STRICT_SERIALIZERS: ReadonlySet<string> = new Set([COMPACT, RAILS, JACKSON])

/** The JSON libraries that receivers serialize with, by the name of the call. JavaScript's own is not among them. */
export const SERIALIZERS: Readonly<Record<string, Serialize>> = {
  'json.dumps of Python': styled({ comma: ', ', colon: ': ', text: escapedBeyondAscii }),
  'json.dumps of Python with compact separators': styled({ text: escapedBeyondAscii }),
  'json.dumps of Python with ensure_ascii=False': styled({ comma: ', ', colon: ': ' }),
  'json.dumps of Python with sort_keys': styled({
    comma: ', ',
    colon: ': ',
    sorted: true,
    text: escapedBeyondAscii,
  }),
  'json.Marshal of Go': styled({ sorted: true, text: escapedForHtml }),
  'json_encode of PHP': styled({ text: (plain) => escapedBeyondAscii(plain).replaceAll('/', '\\/') }),
  [COMPACT]: styled({}),
  [RAILS]: styled({ text: escapedForHtml }),
  [JACKSON]: styled({ text: escaped(/[\ud800-\udfff]/g, uppercase) }),
  'a serializer that sorts keys': styled({ sorted: true }),
  'a serializer that indents by two spaces': (value) => JSON.stringify(value, null, 2),
  'a serializer that indents by four spaces': (value) => JSON.stringify(value, null, 4),
}

export const OWN_SERIALIZER = { 'JSON.stringify of JavaScript': (value: unknown) => JSON.stringify(value) }

/** More of them, which only explain a single delivery. */
export const MORE_SERIALIZERS: Readonly<Record<string, Serialize>> = {
  'json.dumps of Python with sort_keys and compact separators': styled({
    sorted: true,
    text: escapedBeyondAscii,
  }),
  'json.dumps of Python with sort_keys and ensure_ascii=False': styled({
    comma: ', ',
    colon: ': ',
    sorted: true,
  }),
  'json_encode of PHP with JSON_UNESCAPED_SLASHES': styled({ text: escapedBeyondAscii }),
  'json_encode of PHP with JSON_UNESCAPED_UNICODE': styled({
    text: (plain) => plain.replaceAll('/', '\\/'),
  }),
  'json_encode of PHP with JSON_PRETTY_PRINT': (value) =>
    escapedBeyondAscii(JSON.stringify(value, null, 4)).replaceAll('/', '\\/'),
  'json.Encoder of Go': (value) => `${SERIALIZERS['json.Marshal of Go']?.(value)}\n`,
  'toJson of Gson for Java': styled({ text: escaped(/[<>&='\u2028\u2029]/g) }),
  'JsonSerializer of .NET': styled({
    text: (plain) =>
      escaped(
        /[<>&'+`]|[^\0-\x7e]/g,
        uppercase,
      )(plain.slice(1, -1))
        .replaceAll('\\"', '\\u0022')
        .replace(/^|$/g, '"'),
  }),
}

/** A language that a serializer gives away. */
export type Language = 'go' | 'java' | 'javascript' | 'php' | 'python'

/** The serializers of each language. Those that several languages write alike are in none. */
const BY_LANGUAGE: Readonly<Record<Language, readonly string[]>> = {
  go: ['json.Marshal of Go', 'json.Encoder of Go'],
  java: [JACKSON, 'toJson of Gson for Java'],
  javascript: Object.keys(OWN_SERIALIZER),
  php: [
    'json_encode of PHP',
    'json_encode of PHP with JSON_UNESCAPED_SLASHES',
    'json_encode of PHP with JSON_UNESCAPED_UNICODE',
    'json_encode of PHP with JSON_PRETTY_PRINT',
  ],
  python: [
    'json.dumps of Python',
    'json.dumps of Python with compact separators',
    'json.dumps of Python with ensure_ascii=False',
    'json.dumps of Python with sort_keys',
    'json.dumps of Python with sort_keys and compact separators',
    'json.dumps of Python with sort_keys and ensure_ascii=False',
  ],
}

/** The language of a serializer of {@link SERIALIZERS}, {@link OWN_SERIALIZER} or {@link MORE_SERIALIZERS}. */
export function languageOf(serializer: string): Language | undefined {
  const languages = Object.keys(BY_LANGUAGE) as Language[]
  return languages.find((language) => BY_LANGUAGE[language].includes(serializer))
}

/**
 * Whether the serializers of all languages read the same value from a body. They differ in repeated keys, in keys that
 * look like integers, and in numbers.
 */
export function isPlainJson(text: string): boolean {
  if (/"(?:\d+|__proto__)"\s*:/.test(text) || /"\s*:\s*-?\d/.test(text)) return false
  // PHP has one empty value for an empty list and an empty object.
  if (/\{\s*\}/.test(text)) return false
  return !hasRepeatedKey(text)
}

/** Whether no library writes the body as it is: it repeats a key, or has a number such as 1.50 or 1e2. */
export function isWrittenOtherwise(text: string): boolean {
  const numbers = [...text.matchAll(/"\s*:\s*(-?\d[\d.eE+-]*)/g)].map(([, number = '']) => number)
  return numbers.some((number) => /e|\.\d*0$/i.test(number)) || hasRepeatedKey(text)
}

/** A repeated key is lost when the text is parsed. */
function hasRepeatedKey(text: string): boolean {
  let kept = 0
  JSON.parse(text, (key, value: unknown) => {
    if (key !== '') kept += 1
    return value
  })
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*:/g)].length !== kept
}

function styled(style: Partial<Style>): Serialize {
  const { comma = ',', colon = ':', text = (plain: string) => plain, sorted = false } = style
  const write = (value: unknown): string => {
    if (typeof value === 'string') return text(JSON.stringify(value))
    if (Array.isArray(value)) return `[${value.map(write).join(comma)}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const entries = Object.entries(value)
    if (sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${write(key)}${colon}${write(item)}`).join(comma)}}`
  }
  return write
}
