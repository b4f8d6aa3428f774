// Reads hand-written JSON Schemas, and compiles them to TypeScript.
import { compile, type JSONSchema } from 'json-schema-to-typescript'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Schema = { [key: string]: Json }

/** Compiles definitions to exported types that keep their names; a reference to a type is `{ tsType: name }`. */
export async function compileTypes(definitions: Schema): Promise<string> {
  const bundle = { type: 'object', additionalProperties: false, definitions } as unknown as JSONSchema
  const text = await compile(bundle, 'Bundle', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    unreachableDefinitions: true,
  })
  return text
    .replace(/export interface Bundle \{\s*\}\n/, '')
    .replaceAll(
      /( \* ?\n)? \* This interface was referenced by `Bundle`'s JSON-Schema\n \* via the `definition` ".*"\.\n/g,
      '',
    )
}

/** The definition that a reference names. */
export function typeName(ref: string): string {
  const [file = '', pointer] = ref.split('#')
  if (pointer !== undefined) return pointer.replace('/$defs/', '')
  return (file.split('/').at(-1) ?? '')
    .replace(/\.json$/, '')
    .replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function objectAt(schema: Schema, key: string): Schema {
  return asSchema(schema[key] ?? null)
}

export function textAt(schema: Schema, key: string): string {
  const value = schema[key]
  if (typeof value === 'string') return value
  throw new Error(`"${key}" must be a string, not ${JSON.stringify(value)}`)
}

export function asSchema(value: Json): Schema {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw new Error(`expected a schema, received ${JSON.stringify(value)}`)
}
