// Generates the tolerant schema and the types from the hand-written JSON Schemas.
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { asSchema, compileTypes, type Json, objectAt, type Schema, textAt, typeName } from '../json-schema.ts'

const root = new URL('../../../', import.meta.url)
const strictFile = 'event.strict.json'
const tolerantFile = 'event.tolerant.json'
const tolerantName = 'TolerantEvent'

/** The columns of a line. */
const WIDTH = 110

/**
 * Generates every file that follows from the schemas without writing it.
 * @returns the content by path, relative to the repository and formatted as `biome ci` expects
 */
export async function generateSchemas(): Promise<Map<string, string>> {
  const sources = await readSources()
  const strict = objectAt(Object.fromEntries(sources), strictFile)
  const tolerant = tolerantSchema(strict)
  const texts = {
    [`schemas/${tolerantFile}`]: JSON.stringify(tolerant),
    'schemas/types.ts': await typesOf(sources),
  }
  const files = Object.entries(texts).map(async ([path, text]) => {
    const shaped = await formatted(path, text)
    return [path, path.endsWith('.ts') ? withShortComments(shaped) : shaped] as const
  })
  return new Map(await Promise.all(files))
}

async function readSources(): Promise<[string, Schema][]> {
  const folder = new URL('schemas/', root)
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.json') && file !== tolerantFile,
  )
  const read = async (file: string): Promise<[string, Schema]> => {
    return [file, JSON.parse(await readFile(new URL(file, folder), 'utf8'))]
  }
  return Promise.all(files.toSorted().map(read))
}

// ---- the tolerant schema

/**
 * Allows any event name and additional fields. A known field keeps its type; a field marked `x-open` loses its limits.
 * Required are `event` and one of `payment_id` and `id`; only the bare simulated body has no `event`.
 */
function tolerantSchema(strict: Schema): Schema {
  const defs = Object.entries(objectAt(strict, '$defs')).map(([name, def]) => [name, asSchema(def)] as const)
  const branches = defs.filter(([, def]) => isBranch(def))
  const known = branches.filter(([, def]) => !('test' in objectAt(def, 'properties')))
  const eventNames = known.map(([, def]) => eventName(def))
  const shared = defs.filter(([, def]) => !isBranch(def) && !('oneOf' in def))

  const fields: Schema = { event: { description: 'What happened.', type: 'string', minLength: 1 } }
  for (const [, def] of branches) {
    for (const [field, value] of Object.entries(objectAt(def, 'properties'))) {
      const existing = fields[field]
      // A reference describes the field in general; a constant describes it for one event.
      if (existing === undefined || (isReference(value) && !isReference(existing)))
        fields[field] = opened(asSchema(value))
    }
  }
  const identified = {
    anyOf: ['payment_id', 'id'].map((field) => ({
      required: [field],
      properties: { [field]: { type: 'string', minLength: 1 } },
    })),
    'x-expected': 'payment_id or id, as text that is not empty',
  }
  const branch = (description: Json | undefined, event: Schema): Schema => ({
    ...(description === undefined ? {} : { description }),
    $ref: `#/$defs/${tolerantName}`,
    type: 'object',
    properties: { event },
  })
  const derived: Schema = {
    ...Object.fromEntries(
      known.map(([name, def]) => [name, branch(def['description'], { const: eventName(def) })]),
    ),
    UnknownEvent: branch('An event with an unknown name: acknowledge it and do nothing.', {
      not: { enum: eventNames },
    }),
    BareSimulatedEvent: {
      description: 'A simulated event without a name, which is payment. followed by the status.',
      type: 'object',
      additionalProperties: true,
      required: ['status', 'test'],
      properties: {
        ...fields,
        event: false,
        status: { type: 'string', enum: ['completed', 'failed'] },
        test: { type: 'boolean', const: true },
      },
      ...identified,
    },
  }
  const used = (name: string) => JSON.stringify([fields, ...shared]).includes(`"#/$defs/${name}"`)
  return {
    $schema: strict['$schema'] ?? null,
    $id: textAt(strict, '$id').replace(strictFile, tolerantFile),
    $comment: `Generated from ${strictFile} by \`npm run generate\`: do not edit.`,
    title: tolerantName,
    description:
      'The body of a delivery, read tolerantly: what a receiver must accept. Unknown fields, events, failure codes, ' +
      'methods, refund types and statuses are allowed. Only event and either payment_id or id are required.',
    oneOf: Object.keys(derived).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: {
      ...derived,
      [tolerantName]: {
        description: 'Any event with a name. Known fields keep their types; all else is open.',
        type: 'object',
        additionalProperties: true,
        required: ['event'],
        properties: fields,
        ...identified,
      },
      ...Object.fromEntries(shared.filter(([name]) => used(name)).map(([name, def]) => [name, opened(def)])),
    },
    examples: strict['examples'] ?? [],
  }
}

function isReference(value: Json): boolean {
  return '$ref' in asSchema(value)
}

function isBranch(def: Schema): boolean {
  return 'event' in asSchema(def['properties'] ?? {})
}

function eventName(branch: Schema): Json {
  return objectAt(objectAt(branch, 'properties'), 'event')['const'] ?? null
}

/** Allows additional fields, requires none of the known ones, and removes the limits of a schema marked `x-open`. */
function opened(schema: Schema): Schema {
  const limits = ['enum', 'const', 'pattern', 'format', 'minLength', 'x-expected']
  const { 'x-open': open, required: _, ...rest } = schema
  const kept = Object.entries(rest).filter(([key]) => open !== true || !limits.includes(key))
  const result = Object.fromEntries(kept)
  if (result['type'] === 'object') result['additionalProperties'] = true
  if ('properties' in result) {
    const inner = Object.entries(objectAt(result, 'properties'))
    result['properties'] = Object.fromEntries(inner.map(([key, value]) => [key, opened(asSchema(value))]))
  }
  return result
}

// ---- the types

async function typesOf(schemas: [string, Schema][]): Promise<string> {
  const definitions: Schema = {}
  for (const [, schema] of schemas) {
    const { $defs, title: _, $schema: __, $id: ___, ...body } = schema
    for (const [name, def] of Object.entries(asSchema($defs ?? {}))) definitions[name] = typeShape(def)
    definitions[textAt(schema, 'title')] = typeShape(body)
  }
  const banner = '// Generated from schemas/*.json by `npm run generate`: do not edit.'
  return `${banner}\n${await compileTypes(definitions)}`
}

/**
 * Rewrites a schema for the type generator: references become type names, tuples take the form of older drafts, and
 * keywords that do not affect types are removed.
 */
function typeShape(node: Json): Json {
  if (Array.isArray(node)) return node.map(typeShape)
  if (node === null || typeof node !== 'object') return node
  const { $ref, prefixItems, ...rest } = node
  if (typeof $ref === 'string') {
    const { description } = rest
    return { tsType: typeName($ref), ...(description !== undefined && { description }) }
  }
  const isIrrelevant = (key: string, value: Json) =>
    key === 'examples' || key === 'minItems' || key.startsWith('x-') || limitsOnly(key, value)
  const kept = Object.entries(rest).filter(([key, value]) => !isIrrelevant(key, value))
  const shape = Object.fromEntries(kept.map(([key, value]) => [key, typeShape(value)]))
  return Array.isArray(prefixItems) ? { ...shape, items: prefixItems, minItems: prefixItems.length } : shape
}

/** Whether a keyword is `oneOf` or `anyOf` with branches that only require keys. */
function limitsOnly(key: string, value: Json): boolean {
  if (!Array.isArray(value) || !['oneOf', 'anyOf'].includes(key)) return false
  return value.every((branch) => 'required' in asSchema(branch) && !('type' in asSchema(branch)))
}

// ---- helpers

/** Writes each documentation comment in one line if it fits, and sets it apart from what is above it. */
function withShortComments(types: string): string {
  return types
    .replaceAll(/^( *)\/\*\*\s([^]*?)\*\/$/gm, (_, indent: string, text: string) =>
      comment(text.replaceAll(/^ *\* ?/gm, '').trim(), indent),
    )
    .replaceAll(/\n+(?=\/\*\*)/g, '\n\n')
}

function comment(text: string, indent: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length === 0 || `${indent} * ${line}`.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line
  }
  const oneLine = `${indent}/** ${lines.join(' ')} */`
  if (oneLine.length <= WIDTH) return oneLine
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}

async function formatted(path: string, text: string): Promise<string> {
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root))
  const child = spawn(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(root),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  child.stdin.end(text)
  const chunks: Buffer[] = await child.stdout.toArray()
  if ((await closed) !== 0) throw new Error(`biome cannot format ${path}`)
  return Buffer.concat(chunks).toString('utf8')
}
