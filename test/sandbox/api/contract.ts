import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** Any object of JSON. */
export type Tree = Record<string, unknown>

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of an OpenAPI document, with the statuses that it lists. */
export function operationsOf(document: Tree) {
  return Object.entries(document['paths'] as Record<string, Tree>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const { operationId, responses } = item[method] as { operationId: string; responses: Tree }
      return { id: operationId, method: method.toUpperCase(), path, statuses: Object.keys(responses) }
    }),
  )
}

/** Lists how a request or a response violates the OpenAPI document. */
export type Contract = ReturnType<typeof contractOf>

/**
 * Creates the check from a bundled OpenAPI document.
 * @param document as `GET /v1/openapi.json` serves it
 */
export function contractOf(document: Tree) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'https://contract.test/openapi' })
  const compiled = new Map<string, ValidateFunction>()

  /** Resolves a reference, and returns the node's own pointer. */
  function at(pointer: string[]): { node: Tree; pointer: string[] } | undefined {
    let node: unknown = document
    for (const key of pointer) node = (node as Tree | undefined)?.[key]
    if (typeof node !== 'object' || node === null) return undefined
    const { $ref } = node as Tree
    return typeof $ref === 'string' ? at($ref.slice(2).split('/')) : { node: node as Tree, pointer }
  }

  function validatorAt(pointer: string[]): ValidateFunction {
    const fragment = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    const reference = `https://contract.test/openapi#/${fragment.join('/')}`
    const known = compiled.get(reference) ?? ajv.compile({ $ref: reference })
    compiled.set(reference, known)
    return known
  }

  /** The pointer of an operation, or why there is none. */
  function operationAt(method: string, path: string): { pointer: string[] } | { problem: string } {
    const template = Object.keys(document['paths'] as Tree).find((known) => matches(known, path))
    if (template === undefined) return { problem: `${path} is not in the contract` }
    const pointer = ['paths', template, method.toLowerCase()]
    return at(pointer) === undefined
      ? { problem: `${method} ${template} is not in the contract` }
      : { pointer }
  }

  function responseProblems(
    method: string,
    path: string,
    { status, headers, text }: { status: number; headers: Headers; text: string },
  ): string[] {
    const operation = operationAt(method, path)
    if ('problem' in operation) return [operation.problem]
    const name = `${method} ${operation.pointer[1]}`
    const response = at([...operation.pointer, 'responses', String(status)])
    if (response === undefined) return [`${name} has no ${status} in the contract`]
    const content = response.node['content'] as Tree | undefined
    if (content === undefined) return text === '' ? [] : [`${status} should have no body`]
    const type = headers.get('content-type')?.split(';')[0] ?? 'nothing'
    if (!Object.hasOwn(content, type)) return [`${name} ${status} is ${type}`]
    if (type !== 'application/json') return []
    const check = validatorAt([...response.pointer, 'content', type, 'schema'])
    return check(JSON.parse(text)) ? [] : [ajv.errorsText(check.errors)]
  }

  /** Judges the key, the query and the body. */
  function requestProblems(
    method: string,
    path: string,
    { headers, text }: { headers: Headers; text: string | undefined },
  ): string[] {
    const operation = operationAt(method, path)
    if ('problem' in operation) return [operation.problem]
    const {
      security = document['security'],
      parameters = [],
      requestBody,
    } = at(operation.pointer)?.node ?? {}
    const problems =
      (security as object[]).length > 0 && !headers.has('X-API-Key') ? ['the key is missing'] : []
    const query = new URLSearchParams(path.split('?')[1])
    for (const [index, parameter] of (parameters as Tree[]).entries()) {
      const value = query.get(String(parameter['name']))
      const check = validatorAt([...operation.pointer, 'parameters', String(index), 'schema'])
      if (value !== null && !check(/^\d+$/.test(value) ? Number(value) : value))
        problems.push(ajv.errorsText(check.errors))
    }
    const type = headers.get('content-type') ?? ''
    const schema = [...operation.pointer, 'requestBody', 'content', type, 'schema']
    if (text === undefined) return requestBody === undefined ? problems : [...problems, 'the body is missing']
    if (at(schema) === undefined) return [...problems, `a body of the type ${type} is not in the contract`]
    const check = validatorAt(schema)
    return check(JSON.parse(text)) ? problems : [...problems, ajv.errorsText(check.errors)]
  }

  return { responseProblems, requestProblems }
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '')
}
