import { readFileSync } from 'node:fs'

/** Assumed where the operating system does not report its limit: the usual one of Linux. */
const USUAL_LIMIT = 1024

/**
 * How many connections a program may accept, so that descriptors remain for its files, its database and its log.
 * @param wanted the configured number, which the descriptors may lower
 * @param limit the limit of open files of the process
 */
export function connectionLimit(wanted: number, limit = descriptorLimit()): number {
  const reserved = Math.min(256, Math.max(64, Math.ceil(limit / 4)))
  return Math.max(1, Math.min(wanted, Math.max(Math.floor(limit / 4), limit - reserved)))
}

/** The maximum number of open files of this process. @param file the limits as Linux reports them */
export function descriptorLimit(file = '/proc/self/limits'): number {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER
    return Number(soft) || USUAL_LIMIT
  } catch {
    return USUAL_LIMIT
  }
}
