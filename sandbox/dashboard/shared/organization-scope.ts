import type { RequestHandler, Response } from 'express'
import type { Context } from '../../context.ts'
import type { Organization } from '../../model.ts'
import { dashboardPath } from '../../pages/index.ts'
import { slugOf } from '../../slug.ts'

/** The organization that a screen shows, and the paths around it. */
export interface OrganizationScope {
  readonly organization: Organization
  /** Path of the organization's dashboard without a trailing slash: `/dashboard/tea-house`. */
  readonly base: string
  /** Path and query of the current request; forms redirect back to it. */
  readonly here: string
}

/** Looks up the organization in the path; mount it at `/dashboard/:organization`. */
export function findOrganization({ store }: Pick<Context, 'store'>): RequestHandler {
  return (request, response, next) => {
    const slug = request.params['organization']
    const organization = store.organizations.list().find((candidate) => slugOf(candidate) === slug)
    if (organization === undefined) return next('router')
    const scope: OrganizationScope = {
      organization,
      base: dashboardPath(organization),
      here: request.originalUrl,
    }
    response.locals['scope'] = scope
    next()
  }
}

/** The scope that {@link findOrganization} stored for this request. */
export function scopeOf(response: Response): OrganizationScope {
  const scope = response.locals['scope'] as OrganizationScope | undefined
  if (scope === undefined) throw new Error('the route is not mounted under findOrganization')
  return scope
}
