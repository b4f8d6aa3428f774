import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { readSchema, validator } from '../../schemas/compile.ts'
import { SCHEMA_NAMES } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'

test('every JSON file of schemas/ has a schema name', () => {
  const files = readdirSync(new URL('../../schemas/', import.meta.url), {
    recursive: true,
    encoding: 'utf8',
  }).filter((file) => file.endsWith('.json'))
  expect(files.toSorted()).toEqual(SCHEMA_NAMES.map((name) => `${name}.json`).toSorted())
})

test('a definition in several files is the same in each', () => {
  const meanings = new Map<string, string>()
  for (const name of SCHEMA_NAMES.filter((name) => name !== 'event.tolerant')) {
    for (const [def, value] of Object.entries(definitions(readSchema(name)))) {
      expect(JSON.stringify(value), `${def} in ${name}`).toBe(meanings.get(def) ?? JSON.stringify(value))
      meanings.set(def, JSON.stringify(value))
    }
  }
})

/** Another validator, without our vocabulary and without discriminators. */
function foreignValidator() {
  const ajv = new Ajv2020({ strict: false, discriminator: false, logger: false })
  formats.default(ajv)
  for (const name of SCHEMA_NAMES) ajv.addSchema(readSchema(name))
  return ajv
}

/** Every complaint of Ajv's strict mode, such as misspelled keywords or constraints without a type. */
function complaints(): string[] {
  const found: string[] = []
  const log = (...parts: unknown[]) => void found.push(parts.join(' '))
  const ajv = new Ajv2020({
    strict: 'log',
    // Branches that only require a field are the usual way to require one of two.
    strictRequired: false,
    discriminator: true,
    allowUnionTypes: true,
    logger: { log, warn: log, error: log },
  })
  formats.default(ajv)
  ajv.addVocabulary(['x-open', 'x-expected'])
  for (const name of SCHEMA_NAMES) ajv.addSchema(readSchema(name))
  for (const name of SCHEMA_NAMES) ajv.getSchema(`https://hookproof.example/schemas/${name}.json`)
  return found
}

test('strict mode has no complaints', () => {
  expect(complaints()).toEqual([])
})

// Compiling a schema is most of the work, and both compile each of theirs once.
const foreign = foreignValidator()
const meta = new Ajv2020({ strict: false })

describe.each(SCHEMA_NAMES)('%s.json', (name) => {
  const schema = readSchema(name)
  const examples = schema['examples'] as unknown[]

  test('is valid JSON Schema 2020-12 with its own $id', () => {
    expect(meta.validateSchema(schema), JSON.stringify(meta.errors)).toBe(true)
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema['$id']).toBe(`https://hookproof.example/schemas/${name}.json`)
  })

  test('has a title, a description and examples', () => {
    expect(schema['title']).toMatch(/^[A-Z][A-Za-z]+$/)
    expect(schema['description']).toMatch(/\.$/)
    expect(examples.length).toBeGreaterThan(0)
  })

  test('describes every field', () => {
    expect(undescribed(schema)).toEqual([])
  })

  test('accepts its examples in every validator', () => {
    for (const example of examples) {
      expect(explain(validate(name, example))).toBe('')
      expect(foreign.validate(String(schema['$id']), example), foreign.errorsText()).toBe(true)
    }
  })

  test('accepts the examples of its definitions', () => {
    for (const [def, { examples = [] }] of Object.entries(definitions(schema))) {
      const check = validator(name, def)
      for (const example of examples) expect(check(example), `${def}: ${JSON.stringify(example)}`).toBe(true)
    }
  })
})

interface Definition {
  examples?: unknown[]
}

function definitions(schema: Record<string, unknown>): Record<string, Definition> {
  return (schema['$defs'] ?? {}) as Record<string, Definition>
}

/** Paths of properties without any description, reference or single value. */
function undescribed(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const inner = undescribed(value, `${path}/${key}`)
    if (!path.endsWith('/properties') || path.includes('/anyOf/')) return inner
    const described = ['description', '$ref', 'const', 'not', 'enum'].some((word) =>
      Object.hasOwn(Object(value), word),
    )
    return described || value === false ? inner : [`${path}/${key}`, ...inner]
  })
}
