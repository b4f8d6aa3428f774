// Generates the types of the events that a handler of the receiver gets.
import { asSchema, compileTypes, type Json, objectAt, type Schema, textAt, typeName } from './json-schema.ts'

const WIDTH = 110
const COMMON = 'PaymentEvent'

/**
 * Generates receiver/webhook-event.ts: one interface for each event name, what they have in common, and an event with an
 * unknown name. A field is required if every event with this name has it; enumerations stay open.
 */
export async function webhookEventTypes(strict: Schema): Promise<string> {
  const defs = objectAt(strict, '$defs')
  const named = new Set<string>()
  const events = [...eventsByName(defs).values()].map((branches) => eventShape(branches, defs, named))
  const common = commonShape(events.map(([, shape]) => shape))
  const types = [await typeOf(COMMON, common)]
  for (const [name, shape] of events) types.push(await typeOf(name, withoutCommon(shape, common)))
  const values: string[] = []
  for (const name of [...named].toSorted()) values.push(await typeOf(name, defShape(defs, name, named)))
  return [
    '// Generated from schemas/event.strict.json by `npm run generate`: do not edit.',
    comment(
      'An event with the fields that the interface documents. The signature proves that the service sent it, but the receiver ' +
        'validates only the name and the payment id: check a field before you rely on it. Compare `event` with a name to get ' +
        "its fields: `if (event.event === 'payment.completed') ship(event.amount)`. The service may add events, fields and " +
        'codes at any time, so keep a default branch; every field can be read, and one that is not listed is `unknown`.',
    ),
    `export type WebhookEvent = ${[...events.map(([name]) => name), 'UnknownEvent'].join(' | ')}\n`,
    ...types.map((text) => text.replace(/^export interface (\w+Event) (?=\{)/m, inheriting)),
    comment(
      'An event with a name that is not listed here: acknowledge it and do nothing, unless you know the name.',
    ),
    'export interface UnknownEvent {',
    comment(
      'Only comparisons with the listed names compile, which reports misspelled ones. To handle another name, compare it ' +
        "as a string: `entry.name === 'payment.disputed'`.",
    ),
    '  readonly event: UnknownEventName',
    '  readonly [field: string]: unknown',
    '}\n',
    comment(
      'Any string that is not the name of a listed event, which TypeScript cannot express. Were it `string`, a comparison ' +
        'with a listed name would not exclude the unknown event. So it is a pattern that no name matches: do not rely on it.',
    ),
    `type UnknownEventName = \`unknown \${string}\` & { readonly [unknownName]?: never }\n`,
    'declare const unknownName: unique symbol\n',
    ...values,
  ].join('\n')
}

/** Only the events are exported: what they have in common is no event of its own. */
function inheriting(_: string, name: string): string {
  return name === COMMON ? `interface ${name} ` : `export interface ${name} extends ${COMMON} `
}

type Branch = readonly [name: string, schema: Schema]

/** The branches of each event name: first the regular one, then those of the test checkout. */
function eventsByName(defs: Schema): Map<string, [Branch, ...Branch[]]> {
  const events = new Map<string, [Branch, ...Branch[]]>()
  for (const [name, def] of Object.entries(defs)) {
    const event = asSchema(asSchema(def)['properties'] ?? {})['event']
    if (event === undefined) continue
    const eventName = textAt(asSchema(event), 'const')
    const branch: Branch = [name, asSchema(def)]
    const branches = events.get(eventName)
    if (branches) branches.push(branch)
    else events.set(eventName, [branch])
  }
  return events
}

/** The name and the shape of the interface of one event name. Adds the definitions that it refers to to `named`. */
function eventShape(
  [[name, regular], ...simulated]: [Branch, ...Branch[]],
  defs: Schema,
  named: Set<string>,
): [string, Schema] {
  const all = [regular, ...simulated.map(([, schema]) => schema)]
  const fields = Object.assign({}, ...all.map((schema) => objectAt(schema, 'properties')).toReversed())
  const required = requiredOf(regular).filter(
    (field) => field === 'event' || all.every((schema) => requiredOf(schema).includes(field)),
  )
  const omitted = requiredOf(regular).filter((field) => !required.includes(field))
  const order = new Set(all.flatMap((schema) => Object.keys(objectAt(schema, 'properties'))))
  const note = omitted.length === 0 ? '' : ` The test checkout may omit ${listed(omitted)}.`
  return [
    `${name}Event`,
    {
      description: `${textAt(regular, 'description')}${note}`,
      type: 'object',
      additionalProperties: true,
      required,
      properties: Object.fromEntries(
        [...order].map((field) => [
          field,
          // Comparisons with the name narrow the union, so it is the only constant.
          field === 'event' ? fields[field] : fieldShape(asSchema(fields[field]), defs, named),
        ]),
      ),
    },
  ]
}

/** The fields that every event has. */
function commonShape(events: readonly Schema[]): Schema {
  const [first = {}, ...others] = events
  const type = (event: Schema, field: string) => JSON.stringify(objectAt(event, 'properties')[field])
  const fields = Object.entries(objectAt(first, 'properties')).filter(([field]) =>
    others.every((event) => type(event, field) === type(first, field)),
  )
  return {
    description: 'What the listed events have in common.',
    type: 'object',
    additionalProperties: true,
    required: requiredOf(first).filter((field) => others.every((event) => requiredOf(event).includes(field))),
    properties: Object.fromEntries(fields),
  }
}

/** Without what is inherited. An event that always has a field says so, and inherits its description. */
function withoutCommon(event: Schema, common: Schema): Schema {
  const inherited = objectAt(common, 'properties')
  const fields = Object.entries(objectAt(event, 'properties')).flatMap(([field, value]): [string, Json][] => {
    if (!(field in inherited)) return [[field, value]]
    if (!requiredOf(event).includes(field) || requiredOf(common).includes(field)) return []
    const { description: _, ...type } = asSchema(value)
    return [[field, type]]
  })
  return { ...event, additionalProperties: false, properties: Object.fromEntries(fields) }
}

function requiredOf(schema: Schema): string[] {
  const { required } = schema
  return Array.isArray(required) ? required.filter((field) => typeof field === 'string') : []
}

/** The shape of a field: enumerations and objects keep their names, everything else is written out. */
function fieldShape(field: Schema, defs: Schema, named: Set<string>): Schema {
  const { $ref, ...own } = field
  if (typeof $ref !== 'string') return opened(field)
  const name = typeName($ref)
  const { description, ...target } = objectAt(defs, name)
  const general = description === undefined ? {} : { description }
  if (!('enum' in target || 'properties' in target)) return { ...general, ...opened(target), ...own }
  named.add(name)
  return { ...general, ...own, tsType: name }
}

function defShape(defs: Schema, name: string, named: Set<string>): Schema {
  const def = objectAt(defs, name)
  if (!('properties' in def)) return opened(def)
  const fields = Object.entries(objectAt(def, 'properties'))
  return {
    ...def,
    additionalProperties: true,
    properties: Object.fromEntries(
      fields.map(([field, value]) => [field, fieldShape(asSchema(value), defs, named)]),
    ),
  }
}

/** Allows any value of the type besides those that are listed, which an editor still suggests. */
function opened(schema: Schema): Schema {
  const { enum: values, const: value, ...rest } = schema
  const known = [values, value].flat().filter((known) => typeof known === 'string')
  if (known.length === 0) return rest
  return { ...rest, tsType: [...known.map((text) => `'${text}'`), '(string & {})'].join(' | ') }
}

/** Compiles one definition to a read-only type in the style of the receiver. */
async function typeOf(name: string, shape: Schema): Promise<string> {
  const text = await compileTypes({ [name]: shape })
  return text
    .replaceAll('[k: string]: unknown', 'readonly [field: string]: unknown')
    .replaceAll('[k: string]', 'readonly [key: string]')
    .replaceAll(/^(\w+\??:)/gm, 'readonly $1')
    .replaceAll(/^ *\/\*\*\n((?: *\*.*\n)+?) *\*\/$/gm, (_, lines: string) =>
      comment(lines.replaceAll(/^ *\* ?/gm, '').trim()),
    )
}

/** A documentation comment, in one line if it fits. */
function comment(text: string): string {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n')
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
