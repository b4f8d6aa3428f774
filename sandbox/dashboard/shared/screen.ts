import type { Response } from 'express'
import type { Context } from '../../context.ts'
import { dashboardPath, HELPERS, sendPage } from '../../pages/index.ts'
import { flashMessage } from './flash-message.ts'
import { scopeOf } from './organization-scope.ts'

/** One screen of the dashboard. */
export interface Screen {
  /** Path of the template in the folder `dashboard`, without the extension: `keys/keys`. */
  readonly template: string
  readonly title: string
  /** The navigation entry to highlight: its path below the base. */
  readonly entry: (typeof ENTRIES)[number]['path']
  readonly data: object
  readonly status?: number
}

const ENTRIES = [
  { path: '', text: 'Start' },
  { path: '/payments', text: 'Payments' },
  { path: '/events', text: 'Events' },
  { path: '/endpoints', text: 'Endpoints' },
  { path: '/keys', text: 'API keys' },
  { path: '/log', text: 'API log' },
] as const

/** Returns the function that renders screens with the bar, the navigation and the flash message. */
export function screens({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  return (response: Response, { template, title, entry, data, status = 200 }: Screen): void => {
    const scope = scopeOf(response)
    const { organization, base } = scope
    const others = store.organizations.list().filter(({ id }) => id !== organization.id)
    const aheadMs = toMinute(clock.offset())
    const ahead = aheadMs === 0 ? undefined : `${HELPERS.durationInWords(aheadMs)} ahead`
    sendPage(response, {
      template: `/dashboard/${template}`,
      status,
      data: {
        title: `${title} · ${organization.name} · hookproof sandbox`,
        heading: title,
        bar: { kind: 'sandbox', text: 'No money moves.', more: ahead && `Clock is ${ahead}.` },
        home: {
          href: base,
          text: organization.name,
          others: others.map((other) => ({ href: dashboardPath(other), text: other.name })),
        },
        nav: ENTRIES.map(({ path, text }) => ({ href: base + path, text, current: path === entry })),
        styles: ['dashboard.css', 'lists.css'],
        scripts: ['live.js', 'copy.js'],
        wide: true,
        now: clock.now(),
        ahead,
        flash: flashMessage(response.req.query),
        scope,
        ...data,
      },
    })
  }
}

/** Advancing the clock takes a few milliseconds, which would otherwise show. */
const toMinute = (ms: number): number => Math.round(ms / 60_000) * 60_000

export type Show = ReturnType<typeof screens>
