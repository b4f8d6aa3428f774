/** The kinds of files that a package may contain: exact names outside of `dist`, a folder with an ending within. */
export type Contents = readonly string[]

/** `dist/receiver/verify.js` is one of `dist/receiver/*.js`; every other file has its own name. */
function kindOf(file: string): string {
  return file.replace(/^(dist\/(?:.*\/)?)[^/]+?(\.d\.ts|\.\w+)$/, '$1*$2')
}

/** The kinds of some files, sorted. */
export function kindsOf(files: readonly string[]): string[] {
  return [...new Set(files.map(kindOf))].toSorted()
}

/**
 * Compares a package with what it is meant to contain.
 * @returns one line for each difference; empty if there is none
 */
export function differences(files: readonly string[], allowed: Contents): string[] {
  const kinds = kindsOf(files)
  return [
    ...files.filter((file) => !allowed.includes(kindOf(file))).map((file) => `${file} is not intended`),
    ...allowed.filter((kind) => !kinds.includes(kind)).map((kind) => `${kind} is missing`),
  ]
}
