/** An OpenAPI document, as far as the proof reads it. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

type PathItem = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((item) => METHODS.flatMap((method) => (item[method] as Operation) ?? []))

/** Every documented response, for example `getPayment 404`. */
export const responsesOf = (document: Document): string[] =>
  operationsOf(document).flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  )

/** The URL path and method of an operation, by its id. */
export function requestLineOf(document: Document, operationId: string): { method: string; path: string } {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      if ((item[method] as Operation | undefined)?.operationId === operationId) {
        return { method: method.toUpperCase(), path }
      }
    }
  }
  throw new Error(`${operationId} is not in the OpenAPI document`)
}

/**
 * A copy that no response of the API matches: each JSON body lacks a field, an HTML page is too short, and each
 * response without a body has another status.
 */
export function contradicted(document: Document): Document {
  const copy = structuredClone(document) as Document & {
    components: { responses: Record<string, Response> }
  }
  const { responses } = copy.components
  for (const [name, response] of Object.entries(responses)) responses[name] = withOtherBodies(response)
  for (const operation of operationsOf(copy) as { responses: Record<string, Response> }[]) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => {
        const hasBody = response.$ref !== undefined || response.content !== undefined
        return [hasBody ? status : '299', withOtherBodies(response)]
      }),
    )
  }
  return copy
}

function withOtherBodies(response: Response): Response {
  if (response.content === undefined) return response
  const content = Object.entries(response.content).map(([type, { schema }]) => {
    const other = type === 'application/json' ? { required: ['x_absent'] } : { minLength: 1_000_000 }
    return [type, { schema: { allOf: [schema, other] } }]
  })
  return { ...response, content: Object.fromEntries(content) as NonNullable<Response['content']> }
}
