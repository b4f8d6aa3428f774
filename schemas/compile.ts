import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { SCHEMA_NAMES, type SchemaName } from './names.ts'

const idOf = (name: SchemaName) => `https://hookproof.example/schemas/${name}.json`

type Schema = Record<string, unknown>

let instance: Ajv2020 | undefined
const branches = new Map<string, ValidateFunction>()

/**
 * Returns a compiled validator. Ajv is set up on first use, and each validator is compiled only once.
 * @param name the schema's file name without .json
 * @param branch one of its definitions, to validate against that alone
 */
export function validator(name: SchemaName, branch?: string): ValidateFunction {
  instance ??= setUp()
  const compiled =
    branch === undefined ? instance.getSchema(idOf(name)) : compiledBranch(instance, name, branch)
  if (compiled === undefined) throw new Error(`there is no schema ${name}`)
  return compiled
}

/**
 * Compiles a definition as a separate schema. Referenced by a pointer, Ajv would also compile every other branch of the
 * document, which takes ten times as long.
 */
function compiledBranch(ajv: Ajv2020, name: SchemaName, branch: string): ValidateFunction {
  const key = `${name} ${branch}`
  const known = branches.get(key)
  if (known !== undefined) return known
  const { $defs } = readSchema(name)
  const definition = ($defs as Record<string, Schema> | undefined)?.[branch]
  if (definition === undefined) throw new Error(`there is no ${branch} in schema ${name}`)
  const compiled = ajv.compile({ ...definition, $defs })
  branches.set(key, compiled)
  return compiled
}

/** Reads one of the JSON Schemas from its file. */
export function readSchema(name: SchemaName): Schema {
  // Read instead of imported, since import attributes print a warning on Node.js 20.
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'))
}

function setUp(): Ajv2020 {
  // A test validates the schemas against their meta-schema; in every process that would cost more than compiling.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
  })
  formats.default(ajv, ['date-time', 'date', 'uri'])
  ajv.addVocabulary(['x-open', 'x-expected'])
  for (const name of SCHEMA_NAMES) ajv.addSchema(readSchema(name))
  return ajv
}
