import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { SCHEMA_NAMES, type SchemaName } from './names.ts'

const BASE = 'https://hookproof.example/schemas/'

let instance: Ajv2020 | undefined

/**
 * A compiled validator. Ajv is set up on first use and keeps what it has compiled.
 * @param target a schema's file name, perhaps with a pointer into it: `event.strict.json#/$defs/PaymentFailed`
 */
export function validator(target: string): ValidateFunction {
  instance ??= setUp()
  const check = instance.getSchema(BASE + target)
  if (check === undefined) throw new Error(`there is no schema ${target}`)
  return check
}

/** Reads one of the JSON Schemas from its file. */
export function readSchema(name: SchemaName): Record<string, unknown> {
  // Read, not imported: import attributes print a warning on Node 20.
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'))
}

function setUp(): Ajv2020 {
  // The schemas are held against their own meta-schema by a test, not in every process: that costs more than all else.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
  })
  formats.default(ajv, ['date-time', 'uri'])
  ajv.addVocabulary(['x-open', 'x-expected'])
  for (const name of SCHEMA_NAMES) ajv.addSchema(readSchema(name))
  return ajv
}
