import { describe, expect, it, test } from 'vitest'
import { check } from '../../conformance/check.ts'
import { ALIASES, resolveCaseId } from '../../conformance/contracts/payment-service/cases/aliases.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { select } from '../../conformance/contracts/payment-service/select.ts'
import { parseBaseline } from '../../conformance/report/baseline.ts'
import { smallReceiver } from './small-receiver.ts'
import { SECRET } from './support.ts'

const OLD = 'transport/genuine-after-refused-on-one-connection'
const NEW = 'transport/valid-after-refused-on-one-connection'
const NOTICE = `"${OLD}" was renamed "${NEW}"`

describe('an old case id', () => {
  it('is never the id of a current case', () => {
    const current = new Set(CATALOGUE.map(({ id }) => id))
    expect(Object.keys(ALIASES).filter((id) => current.has(id))).toEqual([])
    expect(Object.values(ALIASES).filter((id) => !current.has(id))).toEqual([])
  })

  it('resolves to the current id', () => {
    expect(resolveCaseId(OLD)).toEqual({ id: NEW, alias: OLD })
    expect(resolveCaseId(NEW)).toEqual({ id: NEW })
    expect(resolveCaseId('transport/nope')).toBeUndefined()
    expect(resolveCaseId('constructor')).toBeUndefined()
  })

  const options = { profile: 'full', mode: 'test', only: [], skip: [] } as const

  it('selects its case, with a notice', () => {
    const { cases, notices } = select({ ...options, only: [OLD] })
    expect(cases.map(({ id }) => id)).toEqual([NEW])
    expect(notices).toEqual([NOTICE])
  })

  it('excludes its case, with a notice', () => {
    const { cases, notices } = select({ ...options, only: ['transport'], skip: [OLD] })
    expect(cases.map(({ id }) => id)).not.toContain(NEW)
    expect(notices).toEqual([NOTICE])
  })

  it('causes no notice when it is not used', () => {
    expect(select({ ...options, only: ['transport/*', NEW] }).notices).toEqual([])
  })

  it('in a baseline becomes the current id, with a notice', async () => {
    const notices: string[] = []
    const text = JSON.stringify({ failures: { [OLD]: { reason: 'known' } } })
    const baseline = await parseBaseline(text, 'known.json', (notice) => notices.push(notice))

    expect(baseline).toEqual({ failures: { [NEW]: { reason: 'known' } } })
    expect(notices).toEqual([`known.json: ${NOTICE}`])
  })

  it.each([
    { [OLD]: { reason: 'old' }, [NEW]: { reason: 'new' } },
    { [NEW]: { reason: 'new' }, [OLD]: { reason: 'old' } },
  ])('in a baseline yields to an entry of the current id: %j', async (failures) => {
    expect(await parseBaseline(JSON.stringify({ failures }), 'known.json')).toEqual({
      failures: { [NEW]: { reason: 'new' } },
    })
  })
})

test('check reports the notice of an old id and runs the case', async () => {
  const { url } = await smallReceiver()
  const notices: string[] = []
  const report = await check({
    url,
    secret: SECRET,
    only: [OLD],
    onNotice: (notice) => notices.push(notice),
  })

  expect(notices).toEqual([NOTICE])
  expect(report.verdicts.map(({ case: id, outcome }) => [id, outcome])).toEqual([[NEW, 'passed']])
})
