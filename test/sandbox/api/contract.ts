import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Tree = Record<string, unknown>

/** Lists how a response violates the OpenAPI document. */
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

  return (
    method: string,
    path: string,
    { status, headers, text }: { status: number; headers: Headers; text: string },
  ): string[] => {
    const template = Object.keys(document['paths'] as Tree).find((known) => matches(known, path))
    if (template === undefined) return [`${path} is not in the contract`]
    const operation = at(['paths', template, method.toLowerCase()])
    if (operation === undefined) return [`${method} ${template} is not in the contract`]
    const response = at(['paths', template, method.toLowerCase(), 'responses', String(status)])
    if (response === undefined) return [`${method} ${template} has no ${status} in the contract`]
    const content = response.node['content'] as Tree | undefined
    if (content === undefined) return text === '' ? [] : [`${status} should have no body`]
    const type = headers.get('content-type')?.split(';')[0] ?? 'nothing'
    if (!Object.hasOwn(content, type)) return [`${method} ${template} ${status} is ${type}`]
    if (type !== 'application/json') return []
    const check = validatorAt([...response.pointer, 'content', type, 'schema'])
    return check(JSON.parse(text)) ? [] : [ajv.errorsText(check.errors)]
  }
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '')
}
