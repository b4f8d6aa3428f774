import { type Mutation, routed } from '../../mutate.ts'

/** Other spellings of the endpoint's path, which a server may treat as the same. */
export const PATHS = {
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
export const nowhere: Mutation = routed(
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
