import { inTurn } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { acceptedAfterwards } from '../../../webhook/expectations/aftermath.ts'
import { answeredBelow500 } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { header, type Mutation } from '../../../webhook/mutate.ts'
import { mutatedThenControl } from '../../../webhook/plans.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { FORGED } from '../signature-header/common.ts'

const longHeader = header(
  'an unknown entry of 8 KiB',
  ({ t, v1 }) => `t=${t},v1=${v1},x=${'y'.repeat(8 * 1024)}`,
)
const manyEntries = header(
  'a thousand unknown entries',
  ({ t, v1 }) => `t=${t},v1=${v1}${',x=y'.repeat(1000)}`,
)
/** A validly signed event with a field that is nested very deeply. */
function nested(kit: Kit): Delivery {
  const event = kit.event('completed')
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const text = JSON.stringify({ ...event, metadata: {} }).replace(
    '"metadata":{}',
    `"metadata":{"deep":${deep}}`,
  )
  return { ...kit.body(text, aboutEvent(event)), change: 'JSON nested 10,000 levels deep' }
}
function nestedAndForged(kit: Kit): Delivery {
  const delivery = nested(kit)
  const change = `${delivery.change}, with a wrong signature`
  return header(change, ({ t }) => `t=${t},v1=${FORGED}`)(delivery, kit)
}
/** Without a signature, so that nobody has to parse it. */
function nestedAndUnsigned(kit: Kit): Delivery {
  const text = `${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`
  return {
    ...kit.body(text),
    signature: [],
    change: 'JSON nested 100,000 levels deep, without a signature',
  }
}
const changed =
  (mutation: Mutation) =>
  (kit: Kit): Delivery =>
    mutation(kit.delivery('completed'), kit)

/** The unusual delivery between two ordinary ones: the second one shows what the first did to the receiver. */
const aliveAfter = (make: (kit: Kit) => Delivery) => ({
  send: (kit: Kit): Plan =>
    inTurn(
      asControl(kit.delivery('completed')),
      { ...make(kit), role: 'context' },
      kit.delivery('completed'),
    ),
  expect: [acceptedAfterwards],
  open: 'Servers have limits of their own: any response to the unusual delivery is correct, or none.',
})

const longHeaders = {
  impact: 'One request with an unusual header, which anyone can send, takes the receiver down.',
  fix: 'Limit the size of the header, and answer 400 or 431 above the limit.',
}
const deepJson = {
  impact: 'One request with deeply nested JSON, which anyone can send, takes the receiver down.',
  fix: 'Verify the raw bytes; catch every error of the parser, including the one for excessive depth, and answer 400.',
}

/** What must not take the receiver down. */
export const oversized = [
  requirement(
    'A receiver MUST remain able to accept deliveries after a signature header that is long or has many entries, regardless of how it answers that one.',
    longHeaders,
    {
      'header-of-8-kib': aliveAfter(changed(longHeader)),
      'header-of-a-thousand-entries': aliveAfter(changed(manyEntries)),
    },
  ),
  requirement(
    'A receiver MUST remain able to accept deliveries after deeply nested JSON, regardless of how it answers that one.',
    deepJson,
    {
      'nested-deeply': aliveAfter(nested),
      'nested-deeply-and-forged': aliveAfter(nestedAndForged),
      'nested-deeply-and-unsigned': aliveAfter(nestedAndUnsigned),
    },
  ),
] as const

/** How it should be answered. */
export const oversizedAnswered = [
  requirement(
    'A receiver SHOULD answer a signature header that is long or has many entries with a status below 500.',
    {
      impact: 'The sender sees a server error, or no response at all, and keeps retrying the delivery.',
      fix: longHeaders.fix,
    },
    {
      'header-of-8-kib-is-answered': { send: mutatedThenControl(longHeader), expect: [answeredBelow500] },
      'header-of-a-thousand-entries-is-answered': {
        send: mutatedThenControl(manyEntries),
        expect: [answeredBelow500],
      },
    },
  ),
  requirement(
    'A receiver SHOULD answer deeply nested JSON with a status below 500.',
    { impact: 'The sender sees a server error and keeps retrying the delivery.', fix: deepJson.fix },
    {
      'nested-deeply-is-answered': {
        send: (kit) => inTurn(nested(kit), asControl(kit.delivery('completed'))),
        expect: [answeredBelow500],
      },
    },
  ),
] as const
