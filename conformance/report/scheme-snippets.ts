import type { WebhookContract } from '../contracts/webhook/contract.ts'
import { type Framework, type Snippet, snippetOf } from './snippets.ts'
import { causeTermsOf } from './words/causes/words.ts'

/** How a framework reads a header, and how it refuses with a status. */
interface Shell {
  readonly language: 'js' | 'ts' | 'python'
  readonly header: (name: string) => string
  readonly refuse: (status: 400 | 401) => string
}

const python = (refuse: (status: number) => string): Shell => ({
  language: 'python',
  header: (name) => `request.headers.get("${name}", "")`,
  refuse: (status) => `return ${refuse(status)}`,
})

/** The frameworks whose code can be written for any service. */
const SHELLS: Readonly<Partial<Record<Framework, Shell>>> = {
  express: {
    language: 'js',
    header: (name) => `(req.get('${name}') ?? '')`,
    refuse: (status) => `return res.status(${status}).end()`,
  },
  fastify: {
    language: 'js',
    header: (name) => `String(request.headers['${name.toLowerCase()}'] ?? '')`,
    refuse: (status) => `return reply.code(${status}).send()`,
  },
  next: {
    language: 'ts',
    header: (name) => `(request.headers.get('${name}') ?? '')`,
    refuse: (status) => `return new Response(null, { status: ${status} })`,
  },
  nest: {
    language: 'ts',
    header: (name) => `(request.get('${name}') ?? '')`,
    refuse: (status) => `throw new ${status === 400 ? 'BadRequest' : 'Unauthorized'}Exception()`,
  },
  hono: {
    language: 'ts',
    header: (name) => `(c.req.header('${name}') ?? '')`,
    refuse: (status) => `return c.body(null, ${status})`,
  },
  koa: {
    language: 'js',
    header: (name) => `ctx.get('${name}')`,
    refuse: (status) => `ctx.throw(${status})`,
  },
  flask: python((status) => `"", ${status}`),
  fastapi: python((status) => `Response(status_code=${status})`),
  django: python((status) => `HttpResponse(status=${status})`),
}

/** The causes that a library rules out, whatever else it makes of a delivery. */
const BY_LIBRARY: readonly string[] = [
  'body_already_read',
  'body_parsed_first',
  'body_reserialized',
  'no_verification',
  'unsigned_accepted',
]

/**
 * The handler of a framework that verifies the deliveries of a service: that of the payment service with the part that
 * verifies written for the scheme, or by the library of the service where that helps against all the causes.
 *
 * @param causes the codes of the causes that it is to help against
 * @returns undefined where no such code is known for the framework
 */
export function handlerFor(
  contract: Pick<WebhookContract, 'scheme' | 'windowSeconds' | 'title' | 'library'>,
  framework: Framework,
  causes: readonly string[] = [],
): Snippet | undefined {
  const shell = SHELLS[framework]
  const own = snippetOf('handler', framework)
  if (shell === undefined || own === undefined) return undefined
  const [reading = '', verifying = '', acknowledging = ''] = own.parts
  const indent = /^\s*/.exec(verifying)?.[0] ?? ''
  const isByLibrary = causes.length > 0 && causes.every((code) => BY_LIBRARY.includes(code))
  const library = isByLibrary ? contract.library?.[framework] : undefined
  const written = shell.language === 'python' ? pythonLines(contract, shell) : scriptLines(contract, shell)
  const setup = own.setup
    .split('\n')
    .map((line) => importsFor(line, contract, library?.imports))
    .join('\n')
  const parts = [
    reading,
    (library?.verifying ?? written).map((line) => `${indent}${line}`).join('\n'),
    library === undefined
      ? acknowledging
      : acknowledging.replace(/(?:parse the JSON|the JSON is parsed) \(400 if that fails\) and /, ''),
  ]
  return {
    ...own,
    title: `${own.title} for ${contract.title}`,
    code: [setup, ...parts].join('\n'),
    setup,
    parts,
  }
}

/** How a delivery of a service is handled once: with the value that its redeliveries share under a unique key. */
export function onceFor(contract: WebhookContract): Snippet | undefined {
  const once = snippetOf('once', undefined)
  if (contract.dedupe === undefined || once === undefined) return once
  const code = [
    `-- id: ${causeTermsOf(contract).key.replaceAll('`', '')}`,
    'CREATE TABLE handled (id TEXT PRIMARY KEY);',
    'INSERT INTO handled VALUES (?) ON CONFLICT DO NOTHING; -- $1 in most libraries for Postgres',
    '-- In one transaction with the effect: 1 row inserted: handle the delivery; 0 rows: acknowledge it and do nothing.',
  ].join('\n')
  return { ...once, title: `${once.title} for ${contract.title}`, code, parts: [code] }
}

type About = Pick<WebhookContract, 'scheme' | 'windowSeconds'>

/** An import of what verifies a signature. */
const VERIFIES = /^import .*hmac/i
const PYTHON_IMPORTS = 'import hashlib, hmac, os, time'

/** The modules that a handler for this scheme uses, or its library, instead of those that verify. */
function importsFor(line: string, { scheme }: About, ofLibrary: string | undefined): string {
  if (!VERIFIES.test(line)) return line
  if (ofLibrary !== undefined) return ofLibrary
  if (line !== PYTHON_IMPORTS) return line
  const isEncoded = scheme.digest === 'base64' || scheme.key !== 'text'
  const modules = [isEncoded && 'base64', 'hashlib', 'hmac', 'os', scheme.signed.includes('time') && 'time']
  return `import ${modules.filter((name) => name !== false).join(', ')}`
}

const LENGTHS = { hex: 64, base64: 44 } as const

function scriptLines({ scheme, windowSeconds }: About, { header, refuse, language }: Shell): string[] {
  const { stamps, signed, digest, key } = scheme
  const { name, separator, label, time } = scheme.header
  const typed = (text: string) => (language === 'ts' ? `${text}: string` : text)
  const quoted = (text: string) => `'${text}'`
  const hasTime = signed.includes('time')
  const hasId = signed.includes('id')
  const malformed = [
    ...(hasId ? ["id === ''"] : []),
    ...(hasTime ? ['!/^\\d{1,12}$/.test(t)'] : []),
    'signatures.length === 0',
  ]
  const secret =
    key === 'text' ? 'secret' : `Buffer.from(secret.replace(/^${key.base64After}/, ''), 'base64')`
  const values = { id: '${id}', time: '${t}', body: '' }
  const updates = piecesOf(signed)
    .map((piece) =>
      piece === 'body'
        ? '.update(body)'
        : `.update(\`${piece.map((part) => (typeof part === 'string' ? values[part] : part.text)).join('')}\`)`,
    )
    .join('')
  return [
    ...(label === ''
      ? [`const signatures = [${header(name)}].filter((given) => given !== '')`]
      : [
          `const valuesOf = (${typed('label')}) => ${header(name)}.split(${quoted(separator)}).flatMap((entry) =>`,
          '  entry.startsWith(label) ? entry.slice(label.length) : [])',
          `const signatures = valuesOf(${quoted(label)})`,
        ]),
    ...(hasId ? [`const id = ${header(stamps?.id ?? '')}`] : []),
    ...(hasTime
      ? [
          time === undefined
            ? `const t = ${header(stamps?.time ?? '')}`
            : `const [t = ''] = valuesOf(${quoted(time)})`,
        ]
      : []),
    `if (${malformed.join(' || ')}) ${refuse(400)} // missing or malformed`,
    ...(hasTime
      ? [
          `if (Math.abs(Math.floor(Date.now() / 1000) - Number(t)) > ${windowSeconds}) ${refuse(400)} // outside the window`,
        ]
      : []),
    ...(key === 'text' ? [] : [`const key = ${secret} // the bytes that the secret states`]),
    `const expected = Buffer.from(createHmac('sha256', ${key === 'text' ? 'secret' : 'key'})${updates}.digest('${digest}'))`,
    `const isExpected = (${typed('given')}) => given.length === ${LENGTHS[digest]} && timingSafeEqual(Buffer.from(given, 'latin1'), expected)`,
    `if (!signatures.some(isExpected)) ${refuse(401)} // wrong signature`,
  ]
}

function pythonLines({ scheme, windowSeconds }: About, { header, refuse }: Shell): string[] {
  const { stamps, signed, digest, key } = scheme
  const { name, separator, label, time } = scheme.header
  const hasTime = signed.includes('time')
  const hasId = signed.includes('id')
  const present = [
    ...(hasId ? ['delivery_id'] : []),
    ...(hasTime ? ['t.isascii()', 't.isdigit()', 'len(t) <= 12'] : []),
    'signatures',
  ]
  const values = { id: '{delivery_id}', time: '{t}', body: '' }
  const message = piecesOf(signed)
    .map((piece) =>
      piece === 'body'
        ? 'body'
        : `f"${piece.map((part) => (typeof part === 'string' ? values[part] : part.text)).join('')}".encode()`,
    )
    .join(' + ')
  const mac = `hmac.new(${key === 'text' ? 'secret.encode()' : 'key'}, ${message}, hashlib.sha256)`
  return [
    ...(label === ''
      ? [`signatures = [given.encode() for given in [${header(name)}] if given]`]
      : [
          `entries = ${header(name)}.split("${separator}")`,
          `signatures = [entry[${label.length}:].encode() for entry in entries if entry.startswith("${label}")]`,
        ]),
    ...(hasId ? [`delivery_id = ${header(stamps?.id ?? '')}`] : []),
    ...(hasTime
      ? [
          time === undefined
            ? `t = ${header(stamps?.time ?? '')}`
            : `t = next((entry[${time.length}:] for entry in entries if entry.startswith("${time}")), "")`,
        ]
      : []),
    `if not ${present.length === 1 ? present.join('') : `(${present.join(' and ')})`}:`,
    `    ${refuse(400)}  # missing or malformed`,
    ...(hasTime
      ? [`if abs(int(time.time()) - int(t)) > ${windowSeconds}:`, `    ${refuse(400)}  # outside the window`]
      : []),
    ...(key === 'text'
      ? []
      : [
          `key = base64.b64decode(secret.removeprefix("${key.base64After}"))  # the bytes that the secret states`,
        ]),
    digest === 'hex'
      ? `expected = ${mac}.hexdigest().encode()`
      : `expected = base64.b64encode(${mac}.digest())`,
    'if not any(hmac.compare_digest(given, expected) for given in signatures):',
    `    ${refuse(401)}  # wrong signature`,
  ]
}

type Part = WebhookContract['scheme']['signed'][number]

/** What is signed as pieces: the body, and texts of the parts around it. */
function piecesOf(signed: readonly Part[]): (readonly Exclude<Part, 'body'>[] | 'body')[] {
  const at = signed.indexOf('body')
  const texts = (parts: readonly Part[]) => {
    const others = parts.filter((part) => part !== 'body')
    return others.length === 0 ? [] : [others]
  }
  return [...texts(signed.slice(0, at)), 'body', ...texts(signed.slice(at + 1))]
}
