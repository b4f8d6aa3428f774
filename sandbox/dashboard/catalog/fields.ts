import schema from '../../../schemas/event.strict.json' with { type: 'json' }
import type { EventName } from '../../model.ts'

/** A field of an event, from its schema. */
export interface SchemaField {
  readonly name: string
  readonly isAlways: boolean
  /** Its type, or the values that it can have. */
  readonly type: string
  readonly meaning: string
}

interface Definition {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Definition>>
}

const definitions = schema.$defs as unknown as Readonly<Record<string, Definition>>

const branchOf = (event: EventName): Definition | undefined =>
  Object.values(definitions).find(({ properties }) => properties?.['event']?.const === event)

/** What an event means, in the words of its schema. */
export const meaningOf = (event: EventName): string => branchOf(event)?.description ?? ''

/** The fields of an event in the order in which the service sends them. */
export function fieldsOf(event: EventName): SchemaField[] {
  const { properties = {}, required = [] } = branchOf(event) ?? {}
  return Object.entries(properties).map(([name, given]) => {
    const referred = definitions[given.$ref?.split('/').at(-1) ?? ''] ?? {}
    const definition = { ...referred, ...given }
    return {
      name,
      isAlways: required.includes(name),
      type: typeOf(definition),
      meaning: definition.description ?? '',
    }
  })
}

function typeOf({ type, enum: values, const: value }: Definition): string {
  if (value !== undefined) return JSON.stringify(value)
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(', ')
  return [type ?? 'any'].flat().join(' or ')
}
