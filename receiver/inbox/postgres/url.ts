/**
 * Whether a database URL may contain the password in another place: a `/`, `?` or `#` in a password ends the part of the
 * URL that contains it, unless it is escaped. Then no part of the URL may be shown.
 */
export function mayMisplacePassword({ pathname, search, hash }: URL): boolean {
  return `${pathname}${hash}`.includes('@') || (pathname.length <= 1 && search.includes('@'))
}
