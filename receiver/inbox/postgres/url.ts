/**
 * Whether a database URL may contain the password in another place: a `/`, `?` or `#` in a password ends the part of the
 * URL that contains it, unless it is escaped. Then no part of the URL may be shown.
 */
export function mayMisplacePassword({ pathname, search, searchParams, hash }: URL): boolean {
  if (hash !== '' || [pathname, ...searchParams.keys()].some((text) => text.includes('@'))) return true
  return pathname.length <= 1 && search.includes('@')
}
