/** Runs before the program: hides node:sqlite and the package that replaces it. */
const HIDE = `
  import { register } from 'node:module'
  const { getBuiltinModule } = process
  process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : getBuiltinModule(name))
  const hooks = \`export const resolve = (name, context, next) => {
    if (name !== '@photostructure/sqlite') return next(name, context)
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  }\`
  register('data:text/javascript,' + encodeURIComponent(hooks))`

/** The environment of a process, and of those that it starts, on Node.js 20 without the optional package for SQLite. */
export const WITHOUT_SQLITE = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HIDE)}`,
} as const
