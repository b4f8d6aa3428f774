import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parse } from 'yaml'
import { readSchema } from '../../schemas/compile.ts'
import { SCHEMA_NAMES } from '../../schemas/names.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Tree = { [key: string]: Json }

/** A reference to another file: its name without .json, and an optional definition. */
const OTHER_FILE = /^((?:\.{1,2}\/)?[a-z.-]+)\.json(?:#\/\$defs\/(\w+))?$/
const OWN_DEFINITION = /^#\/\$defs\/(\w+)$/

const SCHEMAS = '#/components/schemas/'

let bundled: Tree | undefined

/** Bundles the document before a request asks for it: that takes longer than any request may. */
export function prepareOpenApi(): void {
  bundled ??= bundle()
}

/**
 * The OpenAPI document as one file: schemas/api/openapi.yaml with the referenced JSON Schemas bundled under their titles.
 * Definitions with the same name are identical in all files; a test checks this.
 * @param origin the origin of the API, without /v1
 */
export function openApiDocument(origin: string): Tree {
  bundled ??= bundle()
  const servers = [{ url: `${origin}/v1`, description: 'This sandbox.' }]
  return { ...bundled, servers }
}

function bundle(): Tree {
  const source: Tree = parse(readFileSync(new URL('../../schemas/api/openapi.yaml', import.meta.url), 'utf8'))
  const bundledSchemas: Tree = {}

  function resolve(node: Json): Json {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, value]): [string, Json] =>
      key === '$ref' && typeof value === 'string' ? [key, targetOf(value)] : [key, resolve(value)],
    )
    return Object.fromEntries(entries)
  }

  function targetOf(reference: string): string {
    const [, own] = OWN_DEFINITION.exec(reference) ?? []
    if (own !== undefined) return SCHEMAS + own
    const [, file, definition] = OTHER_FILE.exec(reference) ?? []
    if (file === undefined) return reference
    add(file)
    return SCHEMAS + (definition ?? titleOf(file))
  }

  function add(file: string): void {
    const title = titleOf(file)
    if (Object.hasOwn(bundledSchemas, title)) return
    const { $schema: _, $id: __, $defs = {}, ...schema } = schemaOf(file)
    // Reserved first, since its content may refer back to it.
    bundledSchemas[title] = {}
    bundledSchemas[title] = resolve(schema)
    for (const [name, definition] of Object.entries($defs as Tree))
      bundledSchemas[name] ??= resolve(definition)
  }

  const document = resolve(source) as Tree
  const components = document['components'] as Tree
  const schemas = { ...bundledSchemas, ...(components['schemas'] as Tree) }
  return { ...document, components: { ...components, schemas } }
}

const titleOf = (file: string): string => schemaOf(file)['title'] as string

/** @param file relative to schemas/api/, which contains all files with such references */
function schemaOf(file: string): Tree {
  const path = posix.join('api', file)
  const name = SCHEMA_NAMES.find((known) => known === path)
  if (name === undefined)
    throw new Error(`schemas/api/openapi.yaml refers to ${file}.json, which does not exist`)
  return readSchema(name) as Tree
}
