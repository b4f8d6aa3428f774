import { inOrder, inTurn } from '../../../../engine/plan.ts'
import type { Delivery, HeaderLine } from '../../../webhook/delivery.ts'
import { notAcceptedElsewhere } from '../../../webhook/expectations/unverified.ts'
import { waysAround, waysAroundWithEffects } from '../../../webhook/families/around.ts'
import {
  CONTENT_TYPES,
  FIELDS,
  HEADERS,
  HEALTH_CHECKS,
  METHOD_HEADERS,
  QUERIES,
  TRANSFERS,
} from '../../../webhook/families/ways.ts'
import type { Plan } from '../../../webhook/model.ts'
import { forged, type Mutation, method, routed, withHeaders } from '../../../webhook/mutate.ts'
import { nothingHandled } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'

export const forgedPayment = {
  impact: 'Anyone on the internet can report a payment that was never made.',
  fix: 'Verify every delivery in one place before any other decision, and let nothing else in the request skip that.',
}

/** Other spellings of the endpoint's path, which a server may treat as the same. */
const PATHS = {
  slash: [
    routed(
      'a slash after the path',
      onPath((path) => `${path}/`),
    ),
  ],
  capitals: [
    routed(
      'the path in capitals',
      onPath((path) => path.toUpperCase()),
    ),
  ],
  format: ['.json', '.xml', '/webhook.json'].map((suffix) =>
    routed(
      `${suffix} after the path`,
      onPath((path) => `${path}${suffix}`),
    ),
  ),
  absolute: [
    routed(
      'the path as an absolute URL',
      onPath((path) => `http://localhost${path}`),
    ),
  ],
  spelled: [
    routed(
      'a doubled slash before the path',
      onPath((path) => `/${path}`),
    ),
    routed(
      'a dot segment before the path',
      onPath((path) => `/.${path}`),
    ),
    routed('the last letter of the path percent-encoded', onPath(lastLetterEncoded)),
    routed(
      'a parameter after the path',
      onPath((path) => `${path};a=b`),
    ),
  ],
} as const satisfies Record<string, readonly Mutation[]>

/** A path that no server serves. */
const nowhere: Mutation = routed(
  'a path that does not exist',
  onPath((path) => `${path}-that-does-not-exist`),
)

/** Changes the path and keeps the query. */
function onPath(change: (path: string) => string): (path: string) => string {
  return (target) => {
    const end = target.indexOf('?')
    return end === -1 ? change(target) : `${change(target.slice(0, end))}${target.slice(end)}`
  }
}

function lastLetterEncoded(path: string): string {
  return path.replace(/\w(?=\W*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
}

/** On a separate connection: a server that answers before it has read the body may take it for the next request. */
const apart =
  (way: Mutation): Mutation =>
  (delivery, kit): Delivery => ({ ...way(delivery, kit), transport: { kind: 'raw', version: '1.1' } })

/** A server that answers 2xx on every path shows that first. */
const pathsAround =
  (...paths: readonly Mutation[]) =>
  (kit: Kit): Plan => {
    const elsewhere = apart(nowhere)(forged(kit.delivery('completed'), kit), kit)
    return inOrder(inTurn({ ...elsewhere, role: 'context' }), waysAround(...paths.map(apart))(kit))
  }

const METHODS = ['PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'].map(method)
const overriding = (by: string): Mutation =>
  withHeaders(
    `headers that replace the method by ${by}`,
    ...METHOD_HEADERS.map((name): HeaderLine => [name, by]),
  )
const OVERRIDES = [
  ...['GET', 'HEAD', 'OPTIONS', 'PUT'].map(overriding),
  ...['GET', 'PUT'].map((name): Mutation => {
    const [by, overridden] = [method(name), overriding('POST')]
    return (delivery, kit) => ({
      ...by(overridden(delivery, kit), kit),
      change: `the method ${name} with headers that replace it by POST`,
    })
  }),
  apart(withHeaders('the Host localhost', ['Host', 'localhost'])),
  withHeaders('headers that rewrite the path', ['X-Original-URL', '/'], ['X-Rewrite-URL', '/']),
]

/** Where and how the request is sent. */
export const places = [
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which its path is written.',
    {
      ...forgedPayment,
      fix: 'Verify in the handler itself, or in a middleware of its route, not in one that compares the path again.',
    },
    {
      'path-with-a-slash': { send: pathsAround(...PATHS.slash), expect: [notAcceptedElsewhere] },
      'path-with-a-format': { send: pathsAround(...PATHS.format), expect: [notAcceptedElsewhere] },
      'path-as-an-absolute-url': { send: pathsAround(...PATHS.absolute), expect: [notAcceptedElsewhere] },
      'path-in-capitals': { send: pathsAround(...PATHS.capitals), expect: [notAcceptedElsewhere] },
    },
  ),
  requirement(
    'An unsigned or forged delivery MUST NOT have an effect, regardless of its method, path and headers.',
    forgedPayment,
    {
      'other-methods-have-no-effect': {
        needs: 'effects',
        send: waysAroundWithEffects(...METHODS, ...OVERRIDES),
        expect: [nothingHandled],
        open: 'A receiver may answer other methods with any status, such as 200 to GET; only an effect counts.',
      },
      'other-paths-have-no-effect': {
        needs: 'effects',
        send: waysAroundWithEffects(...Object.values(PATHS).flat().map(apart)),
        expect: [nothingHandled],
      },
      'other-bodies-have-no-effect': {
        needs: 'effects',
        send: waysAroundWithEffects(
          ...FIELDS.test,
          ...FIELDS.claims,
          ...Object.values(CONTENT_TYPES).flat(),
          ...Object.values(TRANSFERS).flat(),
        ),
        expect: [nothingHandled],
      },
      'other-headers-have-no-effect': {
        needs: 'effects',
        send: waysAroundWithEffects(
          ...Object.values(QUERIES).flat(),
          ...Object.values(HEADERS).flat(),
          ...HEALTH_CHECKS,
        ),
        expect: [nothingHandled],
      },
    },
  ),
] as const
