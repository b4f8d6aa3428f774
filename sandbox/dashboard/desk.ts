import type { RequestHandler, Response } from 'express'
import type { Context } from '../context.ts'
import type { Organization } from '../model.ts'
import { HELPERS } from '../pages/helpers.ts'
import { deskPath, sendPage, slugOf } from '../pages/index.ts'
import { flashMessage } from './said.ts'

export { slugOf }

/** Where a screen belongs: whose it is, and where the other screens of the same organization are. */
export interface OrganizationScope {
  readonly organization: Organization
  /** Such as `/dashboard/tea-house`, without a slash at its end. */
  readonly base: string
  /** This very address with its query, for forms that are to lead back here. */
  readonly here: string
}

/** One screen to be shown. */
export interface Screen {
  /** The file of the screen in this folder, without its ending. */
  readonly template: string
  readonly title: string
  /** The address of the entry in the navigation that it belongs to, after the base. */
  readonly entry: string
  readonly data: object
  readonly status?: number
}

const ENTRIES = [
  { path: '', text: 'Start' },
  { path: '/payments', text: 'Payments' },
  { path: '/events', text: 'Events' },
  { path: '/endpoints', text: 'Endpoints' },
  { path: '/keys', text: 'Keys' },
  { path: '/log', text: 'API log' },
] as const

/** Finds the organization that the address names; to be mounted under /dashboard/:organization. */
export function findDesk({ store }: Pick<Context, 'store'>): RequestHandler {
  return (request, response, next) => {
    const organization = store.organizations
      .list()
      .find((one) => slugOf(one) === request.params['organization'])
    if (organization === undefined) return next('router')
    const desk: OrganizationScope = { organization, base: deskPath(organization), here: request.originalUrl }
    response.locals['desk'] = desk
    next()
  }
}

/** The desk of a request that {@link findDesk} let through. */
export function deskOf(response: Response): OrganizationScope {
  const desk = response.locals['desk'] as OrganizationScope | undefined
  if (desk === undefined) throw new Error('a screen was reached without an organization')
  return desk
}

/** Makes the function that shows screens: with the bar, the navigation and what was just done. */
export function screens({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  return (response: Response, { template, title, entry, data, status = 200 }: Screen): void => {
    const desk = deskOf(response)
    const { organization, base } = desk
    const others = store.organizations.list().filter(({ id }) => id !== organization.id)
    const ahead = toMinute(clock.offset())
    sendPage(response, {
      template: `/dashboard/${template}`,
      status,
      data: {
        title: `${title} · ${organization.name} · hookproof sandbox`,
        heading: title,
        bar: {
          kind: 'test',
          text: 'No money moves.',
          more: ahead === 0 ? undefined : `Its clock is ${HELPERS.span(ahead)} ahead.`,
        },
        home: {
          href: base,
          text: organization.name,
          others: others.map((one) => ({ href: deskPath(one), text: one.name })),
        },
        nav: ENTRIES.map(({ path, text }) => ({ href: base + path, text, current: path === entry })),
        styles: ['dashboard.css', 'lists.css'],
        scripts: ['live.js', 'copy.js'],
        wide: true,
        now: clock.now(),
        ahead,
        said: flashMessage(response.req.query),
        desk,
        ...data,
      },
    })
  }
}

/** Moving the clock takes a moment itself, which nobody asked for. */
const toMinute = (ms: number): number => Math.round(ms / 60_000) * 60_000

export type Show = ReturnType<typeof screens>
