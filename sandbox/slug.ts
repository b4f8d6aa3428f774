import type { Organization } from './model.ts'

/** The name of an organization in URLs: `Tea House` is `tea-house`. It survives a restart of the sandbox; ids need not. */
export const slugOf = ({ name }: Pick<Organization, 'name'>): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
