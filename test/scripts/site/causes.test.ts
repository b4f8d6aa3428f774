import { describe, expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import { describeCause } from '../../../conformance/report/describe-cause.ts'
import { FRAMEWORKS, snippetOf } from '../../../conformance/report/snippets.ts'
import { readExamples } from '../../../scripts/examples/example.ts'
import { causePages } from '../../../scripts/site/causes.ts'
import { servicePages } from '../../../scripts/site/services.ts'

const pages = causePages('other services')
const pageOf = (code: string) => pages.get(`causes/${code}.md`) ?? ''
/** The names of the tabs, and of the slots that fill them. */
const tabsOf = (page: string) => {
  const [, titles = ''] = /:titles='([^']*)'/.exec(page) ?? []
  return {
    titles: Object.keys(JSON.parse(titles.replaceAll('&quot;', '"')) as Record<string, string>),
    slots: [...page.matchAll(/^<template v-slot:([\w-]+)>$/gm)].map(([, name]) => name),
  }
}

describe('the page of a cause', () => {
  it.each(CAUSE_CODES)('has the words of the reports: %s', (code) => {
    const { sentences = [], fixes = [] } = describeCause(code, paymentService) ?? {}
    const page = pageOf(code).replaceAll(/&#(\d+);/g, (_, point: string) =>
      String.fromCodePoint(Number(point)),
    )
    for (const text of [...sentences, ...fixes]) expect(page).toContain(text.replace(/\.$/, ''))
  })

  it('has the code of every framework that a report knows, and each mistake that is made in the examples', () => {
    const page = pageOf('body_reserialized')
    const { titles, slots } = tabsOf(page)
    expect(titles).toEqual(slots)
    expect(titles).toEqual(expect.arrayContaining([...FRAMEWORKS, 'lambda', 'django-rest-framework']))
    for (const framework of FRAMEWORKS) expect(page).toContain(snippetOf('handler', framework)?.code)
    for (const { traps = [] } of readExamples())
      for (const { symptom, cause } of traps)
        if (cause !== undefined) expect(pageOf(cause)).toContain(symptom)
  })

  it('has no tabs where no framework differs', () => {
    expect(pageOf('no_deduplication')).toContain('CREATE TABLE handled')
    expect(pageOf('no_deduplication')).not.toContain('FrameworkTabs')
  })
})

it('the page of a service has a handler in each framework, with its library where that is known', () => {
  const page = servicePages().get('services/stripe.md') ?? ''
  const { titles, slots } = tabsOf(page)
  expect(titles).toEqual(slots)
  expect(titles).toContain('express')
  expect(page).toContain('Stripe.webhooks.constructEvent')
  expect(page).toContain("createHmac('sha256', secret)")
})
