/** Paths are case-sensitive and have no trailing slash: a client that is sloppy here would fail with a strict service. */
export const STRICT = { caseSensitive: true, strict: true } as const
