import { DatabaseSync } from '@photostructure/sqlite'
import { createGenerator } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import { becomes, deliver, effectsOf } from './deliveries.ts'
import type { Setting } from './running.ts'

/** What an example did wrong with an odd event: it took it for money, or for live, or it did not handle it. */
export interface OddFault {
  readonly code: 'not_money' | 'not_live' | 'unhandled'
  /** For people. */
  readonly text: string
}

/** The JSON of fields of an event, which replaces theirs; `undefined` omits one. */
type Fields = Readonly<Record<string, string | undefined>>

/** JSON that the interface does not describe as an amount, and that every parser of JSON accepts. */
const NO_AMOUNTS = [
  'null',
  'true',
  '25',
  '12345678901234567890',
  '1e400',
  '[]',
  '["25.00"]',
  '{}',
  '{"toString":1}',
]

/** Text that is no positive decimal. The last one is half a character, which many databases refuse. */
const NO_DECIMALS = [
  '',
  '0',
  '0.00',
  '-25.00',
  '+25.00',
  '1e3',
  '1e400',
  'NaN',
  'Infinity',
  '0x19',
  '25,00',
  '25.',
  '.50',
  '25.00\n',
  ' 25.00',
  '٢٥',
  '\ud800',
]

const NO_MONEY = [undefined, ...NO_AMOUNTS, ...NO_DECIMALS.map((text) => JSON.stringify(text))]

/** Fields of a completion, none of which is live money. */
const ODD_COMPLETIONS: readonly Fields[] = [
  ...['null', '"false"', '"true"', '0', '1'].map((livemode) => ({ livemode })),
  ...NO_MONEY.map((amount) => ({ amount })),
]

/** Fields of a refund, which still reverses its payment. */
const ODD_REFUNDS: readonly Fields[] = [
  undefined,
  'null',
  '25',
  '1e400',
  '["25.00"]',
  '{"toString":1}',
  '"\\ud800"',
].map((json) => ({ amount: json, currency: json }))

/** Names of events that objects of JavaScript have as properties. */
const NAMES = ['constructor', 'toString', '__proto__']

/** More digits than a number of most languages holds. */
const LONG_AMOUNT = '123456789012345678901234567890.12'

interface Sent {
  readonly event: ServiceEvent
  readonly fields: Fields
}

/**
 * Sends signed events that the interface does not describe to a running example, which must neither take them for live
 * money nor try them again forever.
 * @param withinMs how long to wait until they are handled, in milliseconds
 * @returns what is not as it should be
 * @throws Error if one is not acknowledged
 */
export const faultsOfOddEvents = async (setting: Setting, withinMs?: number): Promise<OddFault[]> =>
  (await sendOddEvents(setting))(withinMs)

/**
 * Sends these events.
 * @returns a function that waits until they are handled, and says what is not as it should be
 * @throws Error if one is not acknowledged
 */
export async function sendOddEvents(setting: Setting): Promise<(withinMs?: number) => Promise<OddFault[]>> {
  const generator = createGenerator(`odd ${Date.now()}`, { livemode: true })
  const send = async (event: ServiceEvent, fields: Fields = {}): Promise<Sent> => {
    await deliver(setting, jsonOf(event, fields))
    return { event, fields }
  }
  const completions: Sent[] = []
  for (const fields of ODD_COMPLETIONS) completions.push(await send(generator.event('completed'), fields))
  for (const name of NAMES) await send(generator.event('completed'), { event: JSON.stringify(name) })
  const refunds: Sent[] = []
  for (const fields of ODD_REFUNDS) {
    const { event } = await send(generator.event('completed'))
    refunds.push(await send(generator.event('refund', { id: event.id }), fields))
  }
  // It comes last, and shows that the others have been handled.
  const { event: long } = await send(generator.event('completed', { amount: LONG_AMOUNT }))

  return async (withinMs) => {
    const faults: OddFault[] = []
    const fail = (code: OddFault['code'], text: string) => void faults.push({ code, text })
    // The completion may have no effect: a refund that is handled first leaves nothing to fulfill.
    const isReversed = async ({ event }: Sent) =>
      (await effectsOf(event, setting)).some(({ effect }) => effect === 'reversed')
    await becomes(async () => {
      for (const refund of refunds) if (!(await isReversed(refund))) return false
      return (await effectsOf(long, setting)).length > 0
    }, withinMs)
    if ((await effectsOf(long, setting))[0]?.amount !== LONG_AMOUNT)
      fail('unhandled', `a completion with ${LONG_AMOUNT} is not fulfilled with this amount`)
    for (const refund of refunds)
      if (!(await isReversed(refund)))
        fail('unhandled', `a refund with ${textOf(refund.fields)} does not reverse`)
    for (const { event, fields } of completions) {
      const effects = await effectsOf(event, setting)
      if ('amount' in fields && effects.length > 0)
        fail('not_money', `a completion with ${textOf(fields)} is fulfilled`)
      if ('livemode' in fields && effects.some(({ livemode }) => livemode !== false))
        fail('not_live', `a completion with ${textOf(fields)} is fulfilled as live`)
    }
    return faults
  }
}

/** The JSON of an event with other fields. */
function jsonOf(event: ServiceEvent, fields: Fields): Uint8Array {
  const given = Object.entries(event).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
  const all = Object.entries({ ...Object.fromEntries(given), ...fields })
  const members = all.flatMap(([name, json]) => (json === undefined ? [] : `${JSON.stringify(name)}:${json}`))
  return Buffer.from(`{${members.join(',')}}`)
}

const textOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, json]) => (json === undefined ? `no ${name}` : `the ${name} ${json}`))
    .join(' and ')

/** For longer than examples wait until they try again what failed, such as while the database was locked. */
const RETRIED_WITHIN_MS = 75_000

/** Waits until an example has handled all events. @returns how many remain in its SQLite database, in any of its tables */
export async function unhandledEvents(path: string, withinMs = RETRIED_WITHIN_MS): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true })
  const handled = { done: 'done', state: "state = 'done'" }
  const columns = database.prepare(
    "SELECT t.name AS 'table', c.name AS 'column' FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
  )
  const tables = (columns.all() as { table: string; column: keyof typeof handled }[]).flatMap(
    ({ table, column }) =>
      Object.hasOwn(handled, column)
        ? database.prepare(`SELECT count(*) AS n FROM "${table}" WHERE NOT ${handled[column]}`)
        : [],
  )
  const count = () => tables.reduce((sum, rows) => sum + (rows.get() as { n: number }).n, 0)
  await becomes(() => count() === 0, withinMs)
  const remaining = count()
  database.close()
  return remaining
}
