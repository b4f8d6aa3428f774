// Empties dist, so that a file that was renamed is not shipped under both names.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
